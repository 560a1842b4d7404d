"""Hostile and clumsy visitors: nothing is learnt, lost or doubled, and the answer is readable."""

import re
from datetime import timedelta
from random import Random
from threading import Barrier

import orjson
import pytest
import time_machine
from django.core import mail
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import User
from accounts.services import guest_create
from accounts.ties import tie_set
from config.wsgi import application
from games import outbox, services
from games.engine.contract import Refused
from games.engine.table import Silent
from games.models import Match, Message, Notice
from games.obelisk.rules import ObeliskState
from games.queries import session_of
from games.services import Opponent, match_create, tables
from tests.site.people import duel, legal, market, person, play
from tests.site.test_concurrency import at_once

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}
# Each looks like an address, and can be written in no header.
UNMAILABLE = ["a@" + "ü" * 63 + ".org", "a@\uffff.org", '"\x01"@example.org']


def finished_duel(host: User, guest: User) -> Match:
    match = duel(host, guest)
    Match.objects.filter(pk=match.pk).update(status="finished", finished=timezone.now())
    match.refresh_from_db()
    return match


# --- what nobody may learn -------------------------------------------------------------------


def test_a_poll_that_guesses_how_often_a_private_match_changed_finds_nothing(client, anna):
    match = match_create(
        user=anna, game="obelisk", opponents=[Opponent("bot", "easy")], private=True
    )
    for guess in range(50):
        answer = client.get(f"/matches/{match.pk}/", {"seen": guess}, **HTMX)
        assert answer.status_code == 404
    client.force_login(anna)
    answer = client.get(f"/matches/{match.pk}/", {"seen": match.revision}, **HTMX)
    assert answer.status_code == 204


# --- nonsense --------------------------------------------------------------------------------


@pytest.mark.parametrize("after", ["9" * 5000, "²", "-1", "😀", "1\x00"])
def test_nonsense_after_which_to_go_on_leads_to_the_first_match(client, anna, bob, after):
    match = duel(anna, bob)
    client.force_login(anna)
    answer = client.get("/matches/next/", {"after": after})
    assert (answer.status_code, answer["Location"]) == (302, f"/matches/{match.pk}/")


@pytest.mark.parametrize("key", ["\x00abcdefghij", "x" * 5000, "' or 1=1 --"])
def test_a_forged_session_is_nobodys(client, key):
    client.cookies["sessionid"] = key
    answer = client.get("/matches/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/matches/")


@pytest.mark.parametrize("part", ["move/", "undo/", "restart/", "resign/"])
def test_before_the_match_has_begun_nothing_of_a_match_can_be_done(client, anna, part):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    client.force_login(anna)
    answer = client.post(f"/matches/{match.pk}/{part}", {"token": "1.0", "move": "end_turn"})
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "The match has not begun yet." in html
    assert "Your table." in html
    match.refresh_from_db()
    assert (match.status, match.seats.get(index=0).user) == ("open", anna)


def test_one_resigns_only_from_a_match_that_runs(client, anna, bob):
    client.force_login(anna)
    table = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    for match in (table, finished_duel(anna, bob)):
        answer = client.get(f"/matches/{match.pk}/resign/")
        assert (answer.status_code, answer["Location"]) == (302, f"/matches/{match.pk}/")


# --- mail ------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", UNMAILABLE)
def test_an_address_that_no_mail_can_carry_is_not_invited(client, anna, address):
    client.force_login(anna)
    form = {"seats": 2, "pace": "standard", "opponent_1": "person", "who_1": address}
    form |= {"option_expert": 0, "option_first_player": -1}
    answer = client.post("/new/obelisk/", form)
    assert answer.status_code == 422
    assert answer.context["form"].errors["who_1"] == ["That is no e-mail address."]
    assert not Match.objects.exists()


@pytest.mark.parametrize("address", UNMAILABLE)
def test_nobody_signs_up_with_an_address_that_no_mail_can_carry(client, address):
    form = {"username": "Nefer", "email": address, "password1": "papyrus-and-lapis"}
    answer = client.post("/accounts/signup/", form)
    assert answer.context["form"].errors["email"] == ["That is no e-mail address."]
    assert not User.objects.exists()


def test_one_impossible_address_does_not_keep_the_mail_of_others_back(anna, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    for address in (UNMAILABLE[0], "oma@example.org"):
        match = match_create(user=anna, game="obelisk", opponents=[Opponent("person", "x@y.org")])
        match.seats.filter(index=1).update(invitee_email=address)
    now = timezone.now() + timedelta(minutes=1)
    assert outbox.deliver(now) == 1
    assert [message.to for message in mail.outbox] == [["oma@example.org"]]
    kept = Notice.objects.get(seat__invitee_email=UNMAILABLE[0])
    assert (kept.sent, kept.attempts) == (None, 1)


def test_signing_up_works_while_the_mail_server_is_away(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    form = {"username": "Nefer", "email": "n@example.org", "password1": "papyrus-and-lapis"}
    answer = client.post("/accounts/signup/", form, follow=True)
    assert answer.redirect_chain == [("/matches/", 302)]
    assert "The mail could not be sent just now." in answer.content.decode()
    assert User.objects.get().username == "Nefer"


# --- all or nothing --------------------------------------------------------------------------


def test_a_table_that_cannot_begin_is_not_opened_either(anna, monkeypatch):
    def broken(*_args: object) -> None:
        raise RuntimeError("killed")

    monkeypatch.setattr(ObeliskState, "setup", broken)
    with pytest.raises(RuntimeError):
        match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")])
    assert not Match.objects.exists()


def test_who_takes_a_seat_twice_is_led_to_the_match_without_a_complaint(client, anna, bob):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    client.force_login(bob)
    for _click in range(2):
        answer = client.post(f"/matches/{match.pk}/join/", follow=True)
        assert answer.redirect_chain == [(f"/matches/{match.pk}/", 302)]
        assert "This table is no longer open." not in answer.content.decode()
    assert [seat.user for seat in match.seats.all()] == [anna, bob]


@pytest.mark.django_db(transaction=True)
def test_two_who_want_a_rematch_at_the_same_moment_meet_at_one_table(anna, bob):
    old = finished_duel(anna, bob)
    start, tables = Barrier(2), []

    def ask(user: User) -> None:
        start.wait()
        tables.append(services.match_rematch(match_id=old.pk, user=user))

    assert at_once(lambda: ask(anna), lambda: ask(bob)) == ["done", "done"]
    assert len({table.pk for table in tables}) == 1
    assert Match.objects.filter(rematch_of=old).count() == 1


def test_a_guest_can_be_asked_for_a_rematch(anna):
    guest = guest_create()
    again = services.match_rematch(match_id=finished_duel(anna, guest).pk, user=anna)
    assert [seat.invitee or seat.user for seat in again.seats.all()] == [anna, guest]
    assert services.match_join(match_id=again.pk, user=guest).user == guest


def test_a_rematch_that_was_called_off_can_be_asked_for_again(anna, bob):
    old = finished_duel(anna, bob)
    first = services.match_rematch(match_id=old.pk, user=anna)
    services.match_cancel(match_id=first.pk, user=anna)
    second = services.match_rematch(match_id=old.pk, user=bob)
    assert (second.pk != first.pk, second.status, second.host) == (True, "open", bob)


def test_what_has_ended_cannot_be_taken_back(anna, bob):
    match = finished_duel(anna, bob)
    for whole_turn in (False, True):
        with pytest.raises(Refused, match="game_over"):
            services.match_undo(match_id=match.pk, seat=0, token="1.0", whole_turn=whole_turn)


# --- hidden things ---------------------------------------------------------------------------

PARTS = ("", "?hold=build", "?hold=lay_foundation+R1a", "others/", "check/")


def seen_by(client, user: User | None, match: Match) -> list[str]:
    """Everything a visitor gets to read about a match, without what is drawn anew each time."""
    client.logout()
    if user:
        client.force_login(user)
    answers = [client.get(f"/matches/{match.pk}/{part}") for part in PARTS]
    answers.append(client.post(f"/matches/{match.pk}/move/", {"token": "0.0", "move": "build R1a"}))
    texts = [f"{answer.status_code} {answer.content.decode()}" for answer in answers]
    return [
        re.sub(r'(nonce="|csrf\w*"?:? ?(?:value=)?")[^"]+', r"\1", text, flags=re.I)
        for text in texts
    ]


def seen_in(world: ObeliskState, client, user: User | None, match: Match) -> list[str]:
    """What a visitor would read if the position were this one; the match stays as it is."""
    row = Match.objects.filter(pk=match.pk)
    kept = row.values("snapshot", "epoch").get()
    row.update(snapshot=orjson.dumps(world.dump()).decode(), epoch=10_000)  # no draft is this late
    try:
        return seen_by(client, user, match)
    finally:
        row.update(**kept)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_no_page_of_a_running_match_differs_by_what_lies_hidden(client, seats):
    people = [person(name) for name in ("Anna", "Bob", "Cleo", "Dirk")[:seats]]
    match, chance, differed = market(*people), Random(seats), 0
    for number in range(48):
        seat = chance.choice(session_of(match).state.to_act())
        play(match, seat, chance.choice(legal(match, seat)))
        match.refresh_from_db()
        state = session_of(match).state
        if number % 16:
            continue
        for index, viewer in [*enumerate(people), (None, None)]:
            dealt = state.determinize(index or 0, Silent(chance))
            differed += state.dump() != dealt.dump()
            texts = seen_in(state, client, viewer, match)
            assert texts == seen_in(dealt, client, viewer, match)
            assert match.seed not in "".join(texts)
    assert differed > 5, "there was something to hide"


# --- input of every kind ---------------------------------------------------------------------

NUL = "a\x00b"
FORMS = {
    "/matches/{match}/chat/": {"text": NUL},
    "/matches/{match}/note/": {"text": NUL},
    "/people/Bob/report/": {"reason": "other", "words": NUL},
    "/people/Bob/tie/": {"kind": NUL},
    "/accounts/programs/": {"name": NUL},
    "/accounts/login/": {"login": NUL, "password": NUL},
    "/accounts/signup/": {"username": NUL, "email": NUL, "password1": NUL},
    "/accounts/password/reset/": {"email": NUL},
    "/accounts/settings/zone/": {"time_zone": NUL},
    "/new/obelisk/": {"seats": 2, "opponent_1": "person", "who_1": NUL},
    "/play/obelisk/": {"seats": 2, "once": NUL},
}


@pytest.mark.parametrize("address", FORMS)
def test_a_form_with_a_nul_in_it_is_refused_whatever_the_database(client, anna, bob, address):
    match = duel(anna, bob)
    if not address.startswith(("/accounts/login", "/accounts/signup", "/accounts/password")):
        client.force_login(anna)
    assert client.post(address.format(match=match.pk), FORMS[address]).status_code == 400


@pytest.mark.parametrize(
    "address", ["/people/a%00b/", "/people/a%00b/matches/", "/feeds/a%00b/deadlines.json"]
)
def test_an_address_with_a_nul_in_it_is_refused_whatever_the_database(client, address):
    assert client.get(address).status_code == 400


ENDLESS = "x" * 60_000  # longer than what SQLite compares


def test_nobody_has_a_name_without_end(client, anna):
    client.force_login(anna)
    for part in ("", "matches/", "matches.csv", "report/"):
        assert client.get(f"/people/{ENDLESS}/{part}").status_code == 404
    assert client.post(f"/people/{ENDLESS}/tie/", {"kind": "blocked"}).status_code == 404
    client.logout()
    answer = client.post("/accounts/login/", {"login": ENDLESS, "password": "x"})
    [words] = answer.context["form"].errors["login"]
    assert words.startswith("Ensure this value has at most 254 characters")


# Codecs that Python knows; the first make of plain letters what no database can write.
ENCODINGS = ["unicode_escape", "raw_unicode_escape", "utf-7", "utf-16", "no-such"]
FIELD = '--x\r\nContent-Disposition: form-data; name="%s"\r\n\r\n\\ud800 so\r\n--x--\r\n'


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=x", "text/plain"])
def test_words_in_an_encoding_of_their_own_are_refused(client, anna, bob, kind, encoding):
    match = duel(anna, bob)
    client.force_login(anna)
    kind = f"{kind}; charset={encoding}"
    for address, name in (("chat/", "text"), ("note/", "text"), ("move/", "move")):
        answer = client.generic("POST", f"/matches/{match.pk}/{address}", FIELD % name, kind)
        assert answer.status_code == 400
        assert "makes no sense to this site" in answer.content.decode()
    for address in (f"/matches/{match.pk}/", "/people/", "/lobby/"):
        asked = {"hold": "\\ud800", "name": "\\ud800", "game": "\\ud800"}
        assert client.get(address, asked, CONTENT_TYPE=kind).status_code == 400
    assert not Message.objects.exists()


# Codecs that turn bytes into bytes, or read nothing at all: they break the making of a request.
NO_TEXT = ["rot13", "hex", "zlib", "undefined", "a\x00b"]
LONG = "&".join(["a=1"] * 300)


def status_through_the_door(method: str, path: str, kind: str, query: str) -> str:
    """Ask the application that a web server calls; the test client makes its requests itself."""
    asked = RequestFactory().generic(method, path, "a=1").environ
    asked |= {"CONTENT_TYPE": kind, "QUERY_STRING": query}
    answered: list[str] = []
    words = application(asked, lambda status, _headers: answered.append(status))
    assert b"makes no sense to this site" in b"".join(words)
    return answered[0]


@pytest.mark.parametrize("query", ["x=%61", LONG])
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("path", ["/rules/", "/people/Bob/tie/", "/api/me/", "/health/"])
def test_a_request_in_no_text_at_all_is_refused_in_words(method, path, query):
    for encoding in NO_TEXT:
        for kind in ("application/x-www-form-urlencoded", "text/plain"):
            named = f"{kind}; charset={encoding}"
            assert status_through_the_door(method, path, named, query) == "400 Bad Request"
    if query == LONG:
        kind = "text/plain; charset=utf-8"
        assert status_through_the_door(method, path, kind, query) == "400 Bad Request"


def test_a_form_may_name_the_encoding_it_is_in(client, anna, bob):
    match = duel(anna, bob)
    client.force_login(anna)
    for encoding in ("utf-8", "UTF8"):
        kind = f"multipart/form-data; boundary=x; charset={encoding}"
        client.generic("POST", f"/matches/{match.pk}/chat/", FIELD % "text", kind)
    assert [message.text for message in Message.objects.all()] == ["\\ud800 so"] * 2


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Kiritimati"])
def test_days_at_the_ends_of_the_calendar_are_refused_in_words(client, anna, day, zone):
    User.objects.filter(pk=anna.pk).update(time_zone=zone)
    client.force_login(anna)
    for field in ("since", "until"):
        for page in ("matches/", "matches.csv", "matches.json"):
            answer = client.get(f"/people/Anna/{page}", {field: day})
            assert answer.status_code == 200, "a filter that is nonsense is ignored"
    assert client.post("/vacation/", {"first": day, "days": 3}).status_code == 422
    form = {"notify": "every_turn", "mail_delay": 15, "mail_hours": 6, "digest_hour": 23}
    answer = client.post("/accounts/settings/notifications/", form | {"snooze": day})
    assert "snooze" in answer.context["forms"]["notifications"].errors


HUGE = [2**31, 2**63 - 1, 2**63, 10**30]


@pytest.mark.parametrize("number", HUGE)
def test_a_number_that_no_row_can_have_is_not_found(client, anna, number):
    client.force_login(anna)
    for part in ("", "mute/", "picture.png", "record.txt", "replay/", "check/", "others/"):
        assert client.get(f"/matches/{number}/{part}").status_code == 404, part
    for part in ("move/", "undo/", "join/", "take/", "chat/", "note/", "mute/", "affair/"):
        assert client.post(f"/matches/{number}/{part}").status_code == 404, part
    for address in (f"/vacation/{number}/end/", f"/accounts/programs/{number}/revoke/"):
        assert client.post(address).status_code == 302


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 30, "٣", "²", "-1", "1e9", ""])
def test_a_lesson_that_is_skipped_for_a_match_of_nonsense_leads_to_the_rules(client, number):
    answer = client.post("/learn/obelisk/skip/", {"match": number})
    assert (answer.status_code, answer["Location"]) == (302, "/rules/obelisk/")


@pytest.mark.parametrize(
    "back", ["my_matches", "account_logout", "x y", "x" * 5000, "//evil.example", "javascript:x"]
)
def test_a_way_back_is_an_address_of_ours_or_the_settings(client, anna, back):
    """A word is not looked up among the names of our addresses, either."""
    client.force_login(anna)
    form = {"time_zone": "Europe/Amsterdam", "next": back}
    answer = client.post("/accounts/settings/zone/", form)
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/settings/#zone")


# --- addresses of others ---------------------------------------------------------------------


def invited(client, address: str) -> str:
    """Invite an address; give what the host then sees, without what differs by chance."""
    form = {"seats": 2, "pace": "standard", "opponent_1": "person", "who_1": address}
    form |= {"option_expert": 0, "option_first_player": "random"}
    answer = client.post("/new/obelisk/", form, follow=True)
    match = Match.objects.latest("pk")
    pages = [answer, client.get("/matches/"), client.get("/lobby/")]
    text = f"{answer.redirect_chain}" + "".join(page.content.decode() for page in pages)
    text = re.sub(rf"(matches/|#|Table ){match.pk}\b", r"\1…", text)
    for changing in (match.link, str(match.revision), address):
        text = text.replace(changing, "…")
    match.delete()
    return re.sub(r'(nonce="|csrf\w*"?:? ?(?:value=)?")[^"]+', r"\1", text, flags=re.I)


@pytest.mark.parametrize("block", [False, True])
def test_inviting_an_address_does_not_tell_whether_somebody_has_it(client, anna, bob, block):
    """Not even to somebody who is blocked by its owner."""
    if block:
        tie_set(user=bob, other=anna, kind="blocked")
    client.force_login(anna)
    with time_machine.travel(timezone.now(), tick=False):
        known, unknown = (invited(client, who) for who in ("bob@example.org", "cat@example.org"))
    assert known == unknown


def test_who_has_blocked_a_host_hears_of_no_invitation(client, anna, bob):
    tie_set(user=bob, other=anna, kind="blocked")
    invite = [Opponent("person", "bob@example.org")]
    match = match_create(user=anna, game="obelisk", opponents=invite)
    assert outbox.deliver(timezone.now() + timedelta(minutes=1)) == 0
    client.force_login(bob)
    assert f"/matches/{match.pk}/" not in client.get("/matches/").content.decode()
    with pytest.raises(Refused, match="not_together"):
        services.match_join(match_id=match.pk, user=bob)


def test_an_address_that_was_never_confirmed_takes_nobodys_invitation_along(anna):
    """Somebody names another's address, and deletes the account again."""
    match = match_create(
        user=anna, game="obelisk", opponents=[Opponent("person", "oma@example.org")]
    )
    services.person_leave(user=person("Mallory", email="oma@example.org", verified=False))
    assert match.seats.get(index=1).invitee_email == "oma@example.org"


def test_no_test_mail_goes_to_an_address_that_was_never_confirmed(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    client.force_login(person("Mallory", email="oma@example.org", verified=False))
    answer = client.post("/mail/test/", follow=True)
    assert "Confirm first that this address is yours." in answer.content.decode()
    assert mail.outbox == []


def test_tables_that_start_early_do_not_make_room_for_more_invitations(anna, monkeypatch):
    monkeypatch.setattr(tables, "INVITATIONS", 2)
    guests = [Opponent("bot", "easy"), Opponent("person", "oma@example.org")]
    for _table in range(2):
        match = match_create(user=anna, game="obelisk", opponents=guests)
        services.match_start(match_id=match.pk, user=anna)
    with pytest.raises(Refused, match="too_many_invitations"):
        match_create(user=anna, game="obelisk", opponents=guests)


def test_links_in_mails_of_the_account_lead_to_the_site_whatever_host_was_named(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.SITE_URL = "https://nilepost.example"
    settings.ALLOWED_HOSTS = ["nilepost.example", "localhost", "127.0.0.1"]
    person("Anna")
    host = {"HTTP_HOST": "127.0.0.1:9999"}
    client.post("/accounts/password/reset/", {"email": "anna@example.org"}, **host)
    client.post("/accounts/password/reset/", {"email": "nobody@example.org"}, **host)
    form = {"username": "Nefer", "email": "n@example.org", "password1": "papyrus-and-lapis"}
    client.post("/accounts/signup/", form, **host)
    links = [link for one in mail.outbox for link in re.findall(r"https?://\S+", str(one.body))]
    assert len(links) == 3
    assert all(link.startswith("https://nilepost.example/accounts/") for link in links)
