"""What the mail provider reports: a dead address gets no more mail, and its owner a banner."""

from base64 import b64encode
from datetime import timedelta
from importlib import reload

import pytest
from django.core import mail
from django.test import Client
from django.urls import clear_url_caches
from django.utils import timezone

import config.urls
from accounts.models import Delivery, OptOut, User
from games import outbox
from games.services import Opponent, match_create
from tests.site.people import duel, person

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=16)
SECRET = "user:secret"
ADDRESS = "/mail/reports/postmark/tracking/"
BANNER = "came back, so we have stopped sending any."


@pytest.fixture
def _reports(settings):
    """A site with a secret for its provider; the addresses are read anew, as at a start."""
    settings.MAIL_WEBHOOK_SECRET = SECRET
    settings.ANYMAIL = {"WEBHOOK_SECRET": SECRET}
    reload(config.urls)
    clear_url_caches()
    yield
    settings.MAIL_WEBHOOK_SECRET = ""
    reload(config.urls)
    clear_url_caches()


def report(address: str, kind: str = "HardBounce", *, key: str = SECRET) -> int:
    """Let Postmark report, in its own words, what became of a mail."""
    told = {"RecordType": "Bounce", "Type": kind, "Email": address, "Description": "No such user"}
    if kind == "SpamComplaint":
        told["RecordType"] = kind
    proof = {"Authorization": f"Basic {b64encode(key.encode()).decode()}"}
    answer = Client().post(ADDRESS, told, content_type="application/json", headers=proof)
    return answer.status_code


@pytest.mark.usefixtures("_reports")
@pytest.mark.parametrize("kind", ["HardBounce", "BadEmailAddress", "SpamComplaint"])
def test_a_dead_address_gets_no_more_mail_and_its_owner_a_banner(client, kind):
    anna, bob = person("Anna"), person("Bob")
    duel(anna, bob)
    outbox.deliver(timezone.now() + SOON)
    assert report("ANNA@example.org", kind) == 200
    mail.outbox.clear()
    duel(anna, bob)
    outbox.deliver(timezone.now() + 2 * SOON)
    assert {message.to[0] for message in mail.outbox} == {"bob@example.org"}
    last = Delivery.objects.filter(user=anna).first()
    assert (last.state, last.error) == ("bounced", "No such user")
    client.force_login(anna)
    for page in ("/", "/matches/", "/accounts/settings/"):
        assert BANNER in client.get(page).content.decode(), page
    assert "came back" in client.get("/accounts/settings/").content.decode()
    client.force_login(bob)
    assert BANNER not in client.get("/").content.decode()


@pytest.mark.usefixtures("_reports")
def test_an_address_works_again_when_its_owner_says_so_or_has_another(client):
    anna = person("Anna")
    report("anna@example.org")
    client.force_login(anna)
    client.post("/mail/revive/")
    assert BANNER not in client.get("/").content.decode()
    duel(anna, person("Bob"))
    outbox.deliver(timezone.now() + SOON)
    assert ["anna@example.org"] in [message.to for message in mail.outbox]
    report("anna@example.org")
    User.objects.filter(pk=anna.pk).update(email="anna@elsewhere.example")
    assert BANNER not in client.get("/").content.decode()


@pytest.mark.usefixtures("_reports")
@pytest.mark.parametrize("kind", ["Transient", "SoftBounce", "DnsError", "AutoResponder"])
def test_what_may_be_over_tomorrow_stops_nothing(kind):
    """An out-of-office reply and a full mailbox are no bounces."""
    anna = person("Anna")
    assert report("anna@example.org", kind) == 200
    anna.refresh_from_db()
    assert anna.dead_address == ""


@pytest.mark.usefixtures("_reports")
@pytest.mark.parametrize("kind", ["HardBounce", "SpamComplaint"])
def test_an_invited_address_that_is_dead_or_complains_is_not_invited_again(kind):
    report("Oma@example.org", kind)
    host = person("Anna")
    match_create(user=host, game="obelisk", opponents=[Opponent("person", "oma@example.org")])
    assert outbox.deliver(timezone.now() + SOON) == 0
    assert OptOut.objects.get().address == "oma@example.org"


def test_a_member_whose_address_is_dead_is_not_invited_at_it():
    person("Oma", dead_address="OMA@example.org")
    host = person("Anna")
    match_create(user=host, game="obelisk", opponents=[Opponent("person", "oma@example.org")])
    assert outbox.deliver(timezone.now() + SOON) == 0
    User.objects.update(dead_address="")
    match_create(user=host, game="obelisk", opponents=[Opponent("person", "oma@example.org")])
    assert outbox.deliver(timezone.now() + SOON) == 1


@pytest.mark.usefixtures("_reports")
@pytest.mark.parametrize("key", ["", "user:wrong", "user:secret\x00"])
def test_a_report_without_the_secret_is_not_believed(key):
    anna = person("Anna")
    assert report("anna@example.org", key=key) == 400
    anna.refresh_from_db()
    assert anna.dead_address == ""


def test_without_a_secret_nobody_can_report():
    assert report("anna@example.org") == 404
