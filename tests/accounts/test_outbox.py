"""The mail of a site without a mail server: kept, and shown only to those it concerns."""

import pytest
from django.core.mail import EmailMultiAlternatives, send_mail
from django.test import Client
from pytest_django import Settings

from accounts.models import Mail, User

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def embedded_mailbox(settings: Settings) -> None:
    settings.EMAIL_BACKEND = settings.EMBEDDED_MAILBOX
    settings.DEBUG_OUTBOX = False


def subjects(client: Client) -> list[str]:
    return [mail.subject for mail in client.get("/outbox/").context["mails"]]


def two_mails() -> None:
    send_mail("To Nefer", "Text", None, ["Nefer <Nefer@example.org>"])
    send_mail("To Ramses", "Text", None, ["ramses@example.org"])


def test_a_mail_is_kept_with_all_its_parts() -> None:
    message = EmailMultiAlternatives(
        "Your turn", "Go", "site@example.org", ["a@example.org"], headers={"List-Id": "turns"}
    )
    message.attach_alternative("<p>Go</p>", "text/html")
    message.send()
    [kept] = Mail.objects.values("to", "subject", "text", "html", "headers")
    assert kept == {
        "to": "a@example.org",
        "subject": "Your turn",
        "text": "Go",
        "html": "<p>Go</p>",
        "headers": {"List-Id": "turns", "From": "site@example.org"},
    }


def test_everybody_reads_only_their_own_mail(client: Client) -> None:
    two_mails()
    assert subjects(client) == []
    client.force_login(User.objects.create_user("Guestlike"))
    assert subjects(client) == []
    client.force_login(User.objects.create_user("Nefer", "nefer@example.org"))
    assert subjects(client) == ["To Nefer"]


def test_naming_somebodys_address_does_not_open_their_mail(client: Client) -> None:
    two_mails()
    User.objects.create_user("Nefer", "nefer@example.org")
    client.force_login(User.objects.create_user("Thief", "Nefer@example.org"))
    assert subjects(client) == []


def test_superusers_read_all_and_other_staff_only_its_own(client: Client) -> None:
    """A mail may hold a link by which one becomes somebody else."""
    two_mails()
    client.force_login(User.objects.create_user("Nefer", "nefer@example.org", is_staff=True))
    assert subjects(client) == ["To Nefer"]
    client.force_login(User.objects.create_superuser("Boss", "boss@example.org"))
    assert subjects(client) == ["To Ramses", "To Nefer"]


def test_on_ones_own_machine_everybody_reads_all(client: Client, settings: Settings) -> None:
    settings.DEBUG_OUTBOX = True
    two_mails()
    assert subjects(client) == ["To Ramses", "To Nefer"]


def test_a_site_with_a_mail_server_has_no_outbox(client: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert client.get("/outbox/").status_code == 404


def test_a_mail_is_seen_as_html_by_those_who_may_read_it(client: Client) -> None:
    message = EmailMultiAlternatives("Your turn", "Go", None, ["nefer@example.org"])
    message.attach_alternative('<p style="color: red">Go</p>', "text/html")
    message.send()
    address = f"/outbox/{Mail.objects.get().pk}/"
    assert client.get(address).status_code == 404
    client.force_login(User.objects.create_user("Nefer", "nefer@example.org"))
    assert f'href="{address}"' in client.get("/outbox/").content.decode()
    answer = client.get(address)
    assert answer.content == b'<p style="color: red">Go</p>'
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
