"""The mail server of the simulation: notes when a mail came, and is cruel by plan.

It can refuse a mail, break the connection after taking one, or have whoever sends it killed: before
it took the mail, or after. Those are the moments that a mail could be lost or doubled in.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from typing import Any, NamedTuple

from aiosmtpd.controller import Controller

from tests.mailserver import MailServer


class Arrival(NamedTuple):
    at: datetime  # by the simulated clock
    mail: EmailMessage

    @property
    def name(self) -> str:
        return str(self.mail["Message-ID"])


class Office(MailServer):
    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self.now = now
        self.arrivals: list[Arrival] = []
        self.cruelty = ""  # to the next mail: refuse, drop, kill_before, kill_after
        self.kill: Callable[[], int] = lambda: 0
        self.refused = self.dropped = self.killed = 0

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if self.cruelty == "kill_before":
            self._kill()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.cruelty == "refuse":
            self.cruelty, self.answers = "", ["451 not now"]
            self.refused += 1
        elif self.cruelty == "drop":
            self.cruelty, self.answers = "", [""]
            self.dropped += 1
        before = len(self.mails)
        answer = await super().handle_DATA(server, session, envelope)
        self.arrivals += [Arrival(self.now(), mail) for mail in self.mails[before:]]
        if self.cruelty == "kill_after":
            self._kill()
        return answer

    def _kill(self) -> None:
        self.cruelty = ""
        self.killed += self.kill()


@contextmanager
def office(now: Callable[[], datetime]) -> Iterator[Office]:
    server = Office(now)
    controller = Controller(server, hostname="127.0.0.1", port=server.port)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
