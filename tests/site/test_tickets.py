"""The links of a mail: opened by robots they change nothing; posted, each does one thing for one
person.
"""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
import time_machine
from django.apps import apps
from django.core import mail, serializers
from django.test import Client
from django.utils import timezone

from accounts.models import OptOut, User
from games import notices, outbox
from games.models import Match, Notice, Seat
from games.services import Opponent, match_create, match_join
from games.tickets import Scope, ticket_address
from tests.mailserver import html_of, text_of
from tests.site.people import duel, person
from tests.site.test_letters import sent

pytestmark = pytest.mark.django_db

SOON = timedelta(minutes=16)
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
SITE = "http://localhost:8000"


def path_of(scope: Scope, **about: object) -> str:
    return urlsplit(ticket_address(scope, **about)).path


def links_of(message) -> set[str]:
    """Every address in a mail that leads to the site, from its text, its HTML and its headers."""
    written = [text_of(message), html_of(message), str(message["List-Unsubscribe"])]
    found = re.findall(rf"{SITE}(/[^\s\"'<>]*)", " ".join(written))
    return {link.replace("&amp;", "&") for link in found}


def everything() -> dict[str, str]:
    """All rows of all tables, but for sessions, which a visit may open."""
    models = [model for model in apps.get_models() if "session" not in model.__name__.lower()]
    return {
        model._meta.label: serializers.serialize("json", model._default_manager.order_by("pk"))
        for model in models
    }


@pytest.fixture
def match(anna) -> Match:
    return duel(anna, person("Bob"))


def wishes(user: User) -> dict[str, object]:
    fields = ("notify", "snoozed_until", "unsubscribed", "declined")
    return User.objects.values(*fields).get(pk=user.pk)


# --- robots ----------------------------------------------------------------------------------


@pytest.mark.parametrize("reader", ["player", "stranger"])
@pytest.mark.parametrize("method", ["get", "head"])
def test_a_robot_that_opens_every_link_of_a_mail_changes_nothing(match, anna, reader, method):
    if reader == "stranger":
        match_create(user=anna, game="obelisk", opponents=[Opponent("person", "oma@example.org")])
    outbox.deliver(timezone.now() + SOON)
    links = links_of(sent("anna@example.org" if reader == "player" else "oma@example.org"))
    assert len(links) >= (6 if reader == "player" else 2)
    before = everything()
    robot = Client()
    for link in sorted(links):
        answer = getattr(robot, method)(link, follow=True)
        assert answer.status_code == 200, link
    assert everything() == before
    assert "_auth_user_id" not in robot.session, "no link logs anybody in"


def test_in_a_mail_about_many_matches_each_can_be_muted_by_itself(anna, match):
    others = [duel(anna, person("Cleo")), duel(anna, person("Dirk"))]
    outbox.deliver(timezone.now() + SOON)
    message = sent()
    links = [path_of(Scope.MATCH, user=anna, match=one.pk) for one in (match, *others)]
    for part in (text_of(message), html_of(message)):
        assert [part.count(link) for link in links] == [1, 1, 1]
    Client().post(links[1], {"wish": "less"})
    muted = anna.seats.filter(muted=True).values_list("match", flat=True)
    assert list(muted) == [others[0].pk]


def test_a_robot_confirms_no_address_and_changes_no_password():
    """The mails of the account, too, are opened by robots before their reader sees them."""
    form = {"username": "Nefer", "email": "n@example.org", "password1": "papyrus-and-lapis"}
    Client().post("/accounts/signup/", form)
    Client().post("/accounts/password/reset/", {"email": "n@example.org"})
    links = [link for one in mail.outbox for link in re.findall(rf"{SITE}(/\S+)", str(one.body))]
    assert len(links) == 2
    robot, before = Client(), everything()
    for link in links:
        assert robot.get(link, follow=True).status_code == 200
    assert everything() == before
    assert "_auth_user_id" not in robot.session


def test_a_robot_that_posts_without_the_words_of_the_rule_changes_nothing(anna):
    for scope in (Scope.TURNS, Scope.SNOOZE, Scope.ALL):
        for form in ({}, {"List-Unsubscribe": "yes"}, {"wish": "everything"}):
            assert Client().post(path_of(scope, user=anna), form).status_code == 400
    assert wishes(anna) == wishes(person("Cleo"))


# --- one click -------------------------------------------------------------------------------


def test_the_header_of_a_turn_mail_unsubscribes_from_turns_with_one_click(match, anna):
    outbox.deliver(timezone.now() + SOON)
    stop = sent()["List-Unsubscribe"].strip(" <>").removeprefix(SITE)
    answer = Client(enforce_csrf_checks=True).post(stop, ONE_CLICK)
    assert (answer.status_code, answer.content) == (200, b"")
    assert wishes(anna)["notify"] == "none"
    assert wishes(anna)["unsubscribed"] is False


@pytest.mark.parametrize(
    ("kind", "topic"),
    [
        ("finished", "course"),
        ("joined", "tables"),
        ("invited", "invitations"),
        ("nudged", "nudges"),
        ("chat", "chat"),
        ("vacation_used", "vacation"),
    ],
)
def test_the_header_of_any_other_mail_stops_what_that_mail_is_about(anna, bob, kind, topic):
    as_before = wishes(anna)
    if kind == "invited":
        match_create(user=bob, game="obelisk", opponents=[Opponent("person", "Anna")])
    else:
        match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
        if kind != "joined":
            match_join(match_id=match.pk, user=bob)
        Seat.objects.update(to_act=True)
        Notice.objects.all().delete()
        notices.post(match.seats.get(index=0), kind, 7)
    outbox.deliver(timezone.now() + SOON)
    stop = sent()["List-Unsubscribe"].strip(" <>").removeprefix(SITE)
    for _twice in range(2):
        assert Client(enforce_csrf_checks=True).post(stop, ONE_CLICK).status_code == 200
    assert wishes(anna) == as_before | {"declined": [topic]}
    Client().post(stop, {"wish": "more"})
    assert wishes(anna) == as_before


def test_a_mail_that_calls_to_a_turn_stops_turn_mails_whatever_else_it_tells(anna, match):
    notices.post(match.seats.get(index=0), "chat", 7)
    outbox.deliver(timezone.now() + SOON)
    assert "There are new messages for you." in text_of(sent())
    stop = sent()["List-Unsubscribe"].strip()
    assert stop == f"<{ticket_address(Scope.TURNS, user=anna)}>"


def test_the_page_of_a_topic_names_it_and_asks_before_it_stops_it(anna):
    address = path_of(Scope.CHAT, user=anna)
    page = Client().get(address).content.decode()
    assert "<h1>Messages written while I was away</h1>" in page
    assert "Stop the mails about this, in all matches? Turn mails come as before." in page
    assert wishes(anna)["declined"] == []
    done = Client().post(address, {"wish": "less"}).content.decode()
    assert "Done: no more mails about this, in any match." in done


@pytest.mark.parametrize(
    ("scope", "changed"),
    [
        (Scope.TURNS, {"notify": "none"}),
        (Scope.SNOOZE, {"snoozed_until": datetime(2026, 5, 11, 8, tzinfo=UTC)}),  # next Monday
        (Scope.ALL, {"unsubscribed": True}),
        (Scope.MATCH, {}),
        (Scope.CHAT, {"declined": ["chat", "tables"]}),
    ],
)
def test_a_ticket_does_one_thing_and_takes_it_back(match, anna, scope, changed):
    User.objects.filter(pk=anna.pk).update(declined=["tables"])
    as_before = wishes(anna)
    about = {"match": match.pk} if scope == Scope.MATCH else {}
    address = path_of(scope, user=anna, **about)
    mine = match.seats.get(user=anna)
    with time_machine.travel(datetime(2026, 5, 6, 12, tzinfo=UTC), tick=False):
        for _twice in range(2):
            assert Client().post(address, {"wish": "less"}).status_code == 200
    assert wishes(anna) == as_before | changed
    mine.refresh_from_db()
    assert mine.muted is (scope == Scope.MATCH)
    assert list(match.seats.exclude(user=anna).values_list("muted", flat=True)) == [False]
    Client().post(address, {"wish": "more"})
    mine.refresh_from_db()
    assert (wishes(anna), mine.muted) == (as_before, False)


@pytest.mark.parametrize(
    ("before", "again"),
    [("digest", "digest"), ("limited", "limited"), ("none", "every_turn")],
)
def test_who_takes_it_back_is_told_of_turns_as_before(anna, before, again):
    User.objects.filter(pk=anna.pk).update(notify=before)
    robot, stop = Client(), path_of(Scope.TURNS, user=anna)
    page = robot.post(stop, {"wish": "less"}).content.decode()
    assert wishes(anna)["notify"] == "none"
    remembered = re.search(r'name="before" value="([^"]*)"', page)[1]
    robot.post(stop, {"wish": "more", "before": remembered})
    assert wishes(anna)["notify"] == again


def test_the_page_names_the_day_until_which_it_snoozes(anna):
    with time_machine.travel(datetime(2026, 5, 6, 12, tzinfo=UTC), tick=False):
        form = {"wish": "less", "date": "2026-05-09"}
        page = Client().post(path_of(Scope.SNOOZE, user=anna), form).content.decode()
    assert "no turn mails before Saturday 9 May, but for the last chance" in page


def test_a_stranger_is_led_to_no_settings():
    address = path_of(Scope.INVITATIONS, address="oma@example.org")
    assert "/accounts/settings/" not in Client().get(address).content.decode()


@pytest.mark.parametrize("day", ["2026-02-30", "0001-01-01", "9999-12-31", "soon", "1" * 5000])
def test_a_day_that_is_none_is_taken_for_monday(anna, day):
    anna.time_zone = "America/New_York"
    anna.digest_hour = 23
    anna.save()
    with time_machine.travel(datetime(2026, 5, 6, 12, tzinfo=UTC), tick=False):
        answer = Client().post(path_of(Scope.SNOOZE, user=anna), {"wish": "less", "date": day})
    assert answer.status_code == 200
    assert wishes(anna)["snoozed_until"] == datetime(2026, 5, 12, 3, tzinfo=UTC)


# --- scopes ----------------------------------------------------------------------------------


def test_a_ticket_that_was_tampered_with_is_no_page(anna):
    address = path_of(Scope.TURNS, user=anna)
    text = address.split("/")[-2]
    other = path_of(Scope.ALL, user=anna).split("/")[-2]
    spliced = f"{other.rpartition(':')[0]}:{text.rpartition(':')[2]}"
    for forged in (text[:-1], text + "a", spliced, "x", "a:b:c"):
        for ask in (Client().get, Client().post):
            assert ask(f"/mail/t/{forged}/", ONE_CLICK).status_code == 404
    assert wishes(anna)["unsubscribed"] is False


def test_a_ticket_of_somebody_who_has_gone_is_no_page(anna):
    address = path_of(Scope.ALL, user=anna)
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert Client().post(address, ONE_CLICK).status_code == 404


def test_a_ticket_shows_nothing_of_its_owner_and_logs_nobody_in(match, anna):
    client = Client()
    html = client.get(path_of(Scope.MATCH, user=anna, match=match.pk)).content.decode()
    assert f"Mails about Obelisk #{match.pk}" in html
    assert ("Anna" in html, "anna@example.org" in html, "Bob" in html) == (False, False, False)
    assert client.get("/accounts/settings/").status_code == 302


# --- addresses of nobody we know -------------------------------------------------------------


def invite(host: User, address: str) -> Match:
    return match_create(user=host, game="obelisk", opponents=[Opponent("person", address)])


def test_an_address_that_wants_no_invitations_gets_none(anna):
    address = path_of(Scope.INVITATIONS, address="Oma@example.org")
    Client().post(address, ONE_CLICK)
    invite(anna, "oma@EXAMPLE.org")
    assert outbox.deliver(timezone.now() + SOON) == 0
    Client().post(address, {"wish": "more"})
    invite(anna, "oma@example.org")
    assert outbox.deliver(timezone.now() + SOON) == 1
    assert not OptOut.objects.exists()


@pytest.mark.parametrize(
    "wish",
    [
        {"unsubscribed": True},
        {"declined": ["invitations"]},
        {"dead_address": "BOB@example.org"},
        {"is_active": False},
    ],
)
def test_a_member_invited_by_address_is_mailed_as_that_member_wants(anna, wish):
    bob = person("Bob")
    User.objects.filter(pk=bob.pk).update(**wish)
    match = invite(anna, "bob@example.org")
    assert outbox.deliver(timezone.now() + SOON) == 0
    assert match.seats.get(index=1).invitee_email == "bob@example.org", "the host learns nothing"
    assert Notice.objects.get().due is None
