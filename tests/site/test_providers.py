"""A provider of mail instead of a mail server: the same mails, and never one of them twice."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from django.conf import settings as site
from django.utils import timezone

from accounts.models import Delivery
from games import outbox
from games.models import Match, Notice
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=16)
TAKEN = {"ErrorCode": 0, "Message": "OK", "MessageID": "1", "SubmittedAt": "2026-05-04T12:00:00Z"}


class Provider(HTTPServer):
    """Answers as Postmark does; an answer of 0 takes the mail and breaks the connection."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Door)
        self.taken: list[dict] = []
        self.answers: list[int] = []


class Door(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        mail = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = self.server.answers.pop(0) if self.server.answers else 200
        if status in (0, 200):
            self.server.taken.append(mail)
        if status == 0:
            return
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        told = TAKEN | {"To": mail["To"]} if status == 200 else {"ErrorCode": 1, "Message": "no"}
        self.wfile.write(json.dumps(told).encode())

    def log_message(self, *_words: object) -> None:
        pass


@pytest.fixture
def provider(settings) -> Iterator[Provider]:
    server = Provider()
    settings.EMAIL_BACKEND = "anymail.backends.postmark.EmailBackend"
    settings.ANYMAIL = {
        "POSTMARK_SERVER_TOKEN": "token",
        "POSTMARK_API_URL": f"http://127.0.0.1:{server.server_port}/",
    }
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def annas_turn() -> Match:
    """Let Anna, and nobody else, be told that it is her turn."""
    match = duel(person("Anna"), person("Bob"))
    Notice.objects.exclude(kind="your_turn").delete()
    outbox.deliver(match.seats.get(index=0).called + SOON)
    return match


def test_a_provider_gets_the_whole_mail(provider):
    match = annas_turn()
    (mail,) = provider.taken
    headers = {header["Name"]: header["Value"] for header in mail["Headers"]}
    assert (mail["To"], mail["Subject"]) == ("anna@example.org", f"Nilepost: {match}")
    assert mail["TextBody"].startswith("Until ")
    assert [one["ContentID"] for one in mail["Attachments"]] == [f"cid:board-{match.pk}"]
    assert f'src="cid:board-{match.pk}"' in mail["HtmlBody"]
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert headers["Message-ID"] == Delivery.objects.get().message_id
    assert headers["Auto-Submitted"] == "auto-generated"
    assert Delivery.objects.get().state == "sent"


def test_what_a_provider_refuses_is_tried_again(provider):
    provider.answers = [500]
    annas_turn()
    assert (provider.taken, Delivery.objects.get().state) == ([], "failed")
    outbox.deliver(timezone.now() + 2 * SOON)
    assert (len(provider.taken), Delivery.objects.get().state) == (1, "sent")


def test_what_a_provider_has_perhaps_taken_is_not_sent_again(provider):
    provider.answers = [0]
    annas_turn()
    outbox.deliver(timezone.now() + 10 * SOON)
    assert (len(provider.taken), Delivery.objects.get().state) == (1, "handed")


SMTP = "django.core.mail.backends.smtp.EmailBackend"


@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({}, {"EMAIL_BACKEND": "accounts.mailbox.DatabaseBackend"}),
        (
            {"EMAIL_URL": "smtp+tls://anna:secret@mail.example:587"},
            {
                "EMAIL_BACKEND": SMTP,
                "EMAIL_HOST": "mail.example",
                "EMAIL_PORT": 587,
                "EMAIL_HOST_USER": "anna",
                "EMAIL_HOST_PASSWORD": "secret",
                "EMAIL_USE_TLS": True,
            },
        ),
        (
            {"MAIL_PROVIDER": "mailgun", "ANYMAIL_MAILGUN_API_KEY": "key"},
            {
                "EMAIL_BACKEND": "anymail.backends.mailgun.EmailBackend",
                "ANYMAIL": {"MAILGUN_API_KEY": "key", "WEBHOOK_SECRET": None},
            },
        ),
    ],
)
def test_the_environment_chooses_who_takes_the_mails(environment, chosen, tmp_path):
    kept = {name: value for name, value in os.environ.items() if "MAIL" not in name}
    kept |= {"DJANGO_SETTINGS_MODULE": "config.settings", "NILEPOST_VAR": str(tmp_path)}
    asked = (
        "import json, sys; from django.conf import settings;"
        "print(json.dumps({name: getattr(settings, name) for name in sys.argv[1:]}))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", asked, *chosen],
        cwd=site.BASE_DIR,
        env=kept | environment,
        capture_output=True,
        check=True,
    )
    assert json.loads(answer.stdout) == chosen
