"""A real mail server for tests: it keeps what it is given, and fails as it is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.services import free_port


class MailServer:
    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.answers: list[str] = []  # to the next mails; "" drops the connection after taking one
        self.port = free_port()

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if not answer.startswith(("4", "5")):
            mail = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
        if not answer:
            server.transport.abort()
            return "421 gone"
        return answer

    def to(self, name: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == f"{name.lower()}@example.org"]


@contextmanager
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return "\n".join(str(part.get_content()).splitlines())


def html_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return "\n".join(str(part.get_content()).splitlines())
