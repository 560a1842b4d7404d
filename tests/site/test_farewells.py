"""Data rights: everything of mine can be taken along, and I can go without a trace of my name."""

import json
import zipfile
from datetime import timedelta
from io import BytesIO, StringIO

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import serializers
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.apikeys import key_create
from accounts.models import ApiKey, Delivery, Mail, OptOut, Tie, User
from accounts.services import KEPT, guest_create
from accounts.ties import tie_set
from games import belongings, records
from games.models import (
    Holder,
    Line,
    Match,
    Message,
    Move,
    Notebook,
    Notice,
    Rating,
    Report,
    Seat,
    Standing,
    Vacation,
)
from games.queries import differences
from games.services import (
    Opponent,
    match_create,
    match_join,
    match_look,
    match_resign,
    message_write,
    note_write,
    person_leave,
    report_write,
    seat_replace,
    seat_take,
)
from games.services.moderation import numbered
from games.services.ratings import recomputed
from tests.site.people import duel, finish, market, person, play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna() -> User:
    return person("Annabelle")


def as_(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def taken_along(user: User) -> dict:
    answer = as_(user).get("/accounts/everything.json")
    assert answer["Content-Disposition"] == 'attachment; filename="nilepost.json"'
    return json.loads(b"".join(answer.streaming_content))


def trace_of(word: str) -> list[str]:
    """Every row of the database in which a word stands."""
    rows = (row for model in apps.get_models() for row in model._default_manager.all())
    return [str(row.pk) + repr(row) for row in rows if word in serializers.serialize("json", [row])]


# --- taking everything along -------------------------------------------------------------------


def test_everything_of_mine_is_in_one_file(anna, bob):
    match = duel(anna, bob, rated=True)
    play_turn(match, 0)
    play_turn(match, 1)
    message_write(match=match, user=anna, text="Hello Bob")
    message_write(match=match, user=bob, text="Hello Anna")
    note_write(match=match, user=anna, text="Bob hurries")
    report_write(reporter=anna, about=bob, match=match, reason="other", words="Too fast")
    tie_set(user=anna, other=bob, kind=Tie.Kind.FAVOURITE)
    key_create(anna, "My bot")
    match_resign(match_id=match.pk, user=bob)
    mine = taken_along(anna)
    assert mine["account"]["username"] == "Annabelle"
    assert [row["email"] for row in mine["addresses"]] == ["annabelle@example.org"]
    assert [row["text"] for row in mine["messages"]] == ["Hello Bob"]
    assert [row["text"] for row in mine["notes"]] == ["Bob hurries"]
    assert [(row["name"], row["words"]) for row in mine["reports"]] == [("Bob", "Too fast")]
    assert [(row["name"], row["kind"]) for row in mine["people"]] == [("Bob", "favourite")]
    assert [row["name"] for row in mine["programs"]] == ["My bot"]
    [held] = mine["matches"]
    assert (held["match_id"], held["game_slug"], held["rank"], held["turns"]) == (
        match.pk,
        "obelisk",
        1,
        1,
    )
    moves = Move.objects.filter(match=match, seat=0).values_list("text", flat=True)
    assert [row["text"] for row in mine["moves"]] == list(moves)
    assert (len(mine["ratings"]), len(mine["standings"])) == (1, 1)


def test_moves_of_a_substitute_are_the_substitutes(anna, bob):
    match = market(anna, bob, person("Cleo"))
    play_turn(match, 0)
    first = Move.objects.count()
    match_resign(match_id=match.pk, user=anna)
    match_look(match_id=match.pk, now=timezone.now() + timedelta(days=3))
    dora = person("Dora")
    seat_take(match_id=match.pk, user=dora)
    Holder.objects.filter(user=dora).update(since=timezone.now())
    play_turn(match, 1)
    play_turn(match, 2)
    play_turn(match, 0)
    later = Move.objects.filter(seat=0).count() - first
    counts = [len(taken_along(user)["moves"]) for user in (anna, dora)]
    assert counts == [first, later]
    assert later > 0


def test_no_secret_of_a_running_match_and_no_key_is_taken_along(anna, bob):
    match = duel(anna, bob)
    match.refresh_from_db()
    tie_set(user=bob, other=anna, kind=Tie.Kind.BLOCKED)
    secret = key_create(anna, "My bot")
    text = json.dumps(taken_along(anna))
    for hidden in (match.seed, match.link, secret, anna.password, anna.api_keys.get().digest):
        assert hidden not in text
    assert json.loads(text)["people"] == []


def test_the_file_names_every_setting_and_every_kind_of_row_that_points_to_a_person():
    fields = {field.name for field in User._meta.concrete_fields}
    assert fields == {*belongings.ACCOUNT, *belongings.NOT_GIVEN}
    pointing = {
        (field.related_model.__name__, field.field.name) for field in User._meta.related_objects
    }
    assert pointing == {
        *(("EmailAddress", "user"), ("Authenticator", "user"), ("UserSession", "user")),
        *(("ApiKey", "user"), ("Delivery", "user"), ("Tie", "user"), ("Vacation", "user")),
        *(("Match", "host"), ("Seat", "user"), ("Seat", "invitee"), ("Holder", "user")),
        *(("Message", "author"), ("Notebook", "user"), ("Report", "reporter")),
        *(("Rating", "user"), ("Standing", "user"), ("LogEntry", "user"), ("Notice", "reader")),
        # What others made of the person is theirs.
        *(("Tie", "other"), ("Report", "about"), ("Notice", "who")),
    }


# Columns of a person's rows that are not taken along: numbers of ours and moments that follow from
# others; what opens doors; what others wrote; and what stands in the file under another name.
LEFT_OUT: dict[str, tuple[type[Model], set[str]]] = {
    "addresses": (EmailAddress, set()),
    "second_steps": (Authenticator, {"data"}),
    "visits": (UserSession, {"session_key", "data"}),
    "programs": (ApiKey, {"digest"}),
    "people": (Tie, {"other"}),
    "vacations": (Vacation, set()),
    "matches": (
        Holder,
        {"seat", "marked", "first_line", "last_line", "first_move", "last_move"},
    ),
    "seats": (
        Seat,
        {"invitee", "invitee_email", "changed_hands", "thinking_until", "score", "rank", "rest"},
    ),
    "moves": (Move, {"epoch", "by"}),
    "messages": (Message, set()),
    "notes": (Notebook, set()),
    "ratings": (Rating, set()),
    "standings": (Standing, set()),
    "reports": (Report, {"about", "outcome"}),
    "notices": (Notice, {"seat", "epoch", "about", "who", "delivery"}),
    "mails": (Delivery, {"message_id"}),
    "mailbox": (Mail, {"html", "headers"}),
    "no_invitations": (OptOut, set()),
    "rulings": (LogEntry, {"action_flag", "object_id", "content_type"}),
}


@pytest.mark.parametrize("part", LEFT_OUT)
def test_every_column_is_taken_along_or_left_out_for_a_reason(anna, part):
    model, left_out = LEFT_OUT[part]
    query = belongings.PARTS[part](anna).query
    assert query.model is model
    given = {*query.values_select, *query.annotation_select}
    owners = {"user", "author", "reporter", "reader"}
    columns = {field.name for field in model._meta.concrete_fields if not field.primary_key}
    assert columns - given - owners == left_out


def test_an_invitation_to_my_address_and_my_wish_for_none_are_taken_along(anna, bob):
    match = match_create(
        user=bob, game="obelisk", opponents=[Opponent("person", "ANNABELLE@example.org")]
    )
    OptOut.objects.create(address="annabelle@example.org")
    OptOut.objects.create(address="somebody@example.org")
    mine = taken_along(anna)
    assert mine["invitations"] == [{"match": match.pk, "index": 1, "host": "Bob"}]
    assert mine["no_invitations"] == [{"address": "annabelle@example.org"}]


def test_my_finished_matches_come_as_records_that_can_be_checked(anna, bob):
    over = duel(anna, bob)
    finish(over)
    running = duel(anna, bob)
    answer = as_(anna).get("/accounts/matches.zip")
    archive = zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content)))
    assert archive.namelist() == [f"nilepost-obelisk-{over.pk}.txt"]
    record = records.read_record(archive.read(archive.namelist()[0]).decode())
    assert (record.names, records.differences(record)) == (["Annabelle", "Bob"], [])
    assert Match.objects.get(pk=running.pk).status == "running"


def test_records_cost_the_same_number_of_queries_however_many(anna, bob):
    counts = []
    for _ in range(2):
        match_resign(match_id=duel(anna, bob).pk, user=bob)
        client = as_(anna)
        client.get("/")  # that somebody is here is written down once in some minutes
        with CaptureQueriesContext(connection) as captured:
            assert b"".join(client.get("/accounts/matches.zip").streaming_content)
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_files_are_not_handed_out_without_end(anna):
    client = as_(anna)
    *answers, last = [client.get("/accounts/everything.json") for _ in range(11)]
    assert [answer.status_code for answer in answers] == [200] * 10
    assert (last.status_code, last["Retry-After"]) == (429, "3600")
    assert "<h1>That was too often</h1>" in last.content.decode()


# --- going for good ----------------------------------------------------------------------------


def test_nothing_in_the_database_tells_who_has_gone(anna, bob):
    root = person("Root", is_staff=True)
    match = market(anna, bob, person("Cleo"))
    message_write(match=match, user=anna, text="I am Annabelle")
    note_write(match=match, user=anna, text="Annabelle was here")
    tie_set(user=bob, other=anna, kind=Tie.Kind.FAVOURITE)
    key_create(anna, "Annabelle's bot")
    seat_replace(match_id=match.pk, by=root, reason="asked", seat=0, user=person("Dora"))
    Mail.objects.create(to="annabelle@example.org", subject="Hello", text="Annabelle")
    OptOut.objects.create(address="annabelle@example.org")
    LogEntry.objects.log_actions(root.pk, [anna], 2, "changed", single_object=True)
    host = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    asked = match_create(
        user=bob, game="obelisk", opponents=[Opponent("person", "annabelle@example.org")]
    )
    person_leave(user=anna)
    assert trace_of("nnabelle") == []
    assert [Match.objects.get(pk=one.pk).status for one in (host, asked)] == ["cancelled", "open"]


def test_what_may_be_somebody_elses_stays(anna, bob):
    """An address that was never confirmed is not one's own, nor is one that two people name."""
    EmailAddress.objects.create(user=anna, email="perhaps@example.org", verified=False)
    person("Dora", email=anna.email, verified=False)
    match_create(user=bob, game="obelisk", opponents=[Opponent("person", "perhaps@example.org")])
    Mail.objects.create(to=anna.email, subject="Hello", text="Whoever you are")
    person_leave(user=anna)
    assert Seat.objects.filter(invitee_email="perhaps@example.org").count() == 1
    assert Mail.objects.filter(to="annabelle@example.org").count() == 1


def test_the_audit_log_forgets_the_names_of_who_has_gone_and_no_other_words(anna, bob):
    match, root = market(anna, bob, person("Cleo")), person("Root", is_staff=True)
    dora, eva = person("Dora"), person("Eva")
    for user in (dora, eva):
        seat_replace(match_id=match.pk, by=root, reason="a new start", seat=0, user=user)
    User.objects.filter(pk=dora.pk).update(username="a")
    person_leave(user=User.objects.get(pk=dora.pk))
    dora.refresh_from_db()
    assert list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True)) == [
        f"seat 0 of {numbered(anna)} given to {numbered(dora)}: a new start",
        f"seat 0 of {numbered(dora)} given to {numbered(eva)}: a new start",
    ]


def test_every_column_of_who_has_gone_is_as_new(anna):
    User.objects.filter(pk=anna.pk).update(
        time_zone="Africa/Cairo", language="nl", feed_key="x" * 43, is_staff=True, notify="none"
    )
    anna.refresh_from_db()
    joined = anna.date_joined
    person_leave(user=anna)
    row, fresh = User.objects.values().get(pk=anna.pk), User()
    assert row.pop("username").startswith("Anon-")
    assert row.pop("password").startswith("!")
    assert (row.pop("id"), row.pop("date_joined")) == (anna.pk, joined)
    expected = {name: getattr(fresh, name) for name in row} | {"is_active": False}
    assert row == expected
    assert KEPT == ("id", "date_joined")


def test_matches_of_others_stay_whole(anna, bob):
    match = market(anna, bob, person("Cleo"), rated=True)
    message_write(match=match, user=anna, text="Mine")
    message_write(match=match, user=bob, text="Yours")
    finish(match)
    before = [
        list(rows.order_by("pk").values())
        for rows in (Move.objects, Line.objects, Rating.objects, Seat.objects, Match.objects)
    ]
    person_leave(user=anna)
    after = [
        list(rows.order_by("pk").values())
        for rows in (Move.objects, Line.objects, Rating.objects, Seat.objects, Match.objects)
    ]
    assert after == before
    assert differences(Match.objects.get(pk=match.pk)) == []
    assert list(Message.objects.values_list("text", flat=True)) == ["", "Yours"]
    page = as_(bob).get(f"/matches/{match.pk}/").content.decode()
    assert ("Annabelle" in page, "Yours" in page, "removed" in page) == (False, True, True)


def test_ratings_computed_again_are_the_same_after_somebody_has_gone(anna, bob):
    for loser in (anna, bob, bob):
        match_resign(match_id=duel(anna, bob, rated=True).pk, user=loser)
    person_leave(user=anna)
    kept = Rating.objects.order_by("pk").values_list("user", "mu", "sigma")
    assert [(one.user_id, one.mu, one.sigma) for one in recomputed()[0]] == list(kept)
    call_command("ratings", stdout=StringIO())


def test_who_goes_resigns_and_leaves_tables(anna, bob):
    two, three = duel(anna, bob), market(bob, anna, person("Cleo"))
    table = match_create(user=bob, game="obelisk", opponents=[Opponent("open"), Opponent("open")])
    match_join(match_id=table.pk, user=anna)
    person_leave(user=anna)
    two.refresh_from_db()
    assert (two.status, two.ending, two.seats.get(user=bob).rank) == ("finished", "resigned", 1)
    seat = three.seats.get(user=anna)
    ended = Holder.objects.get(seat=seat).ended
    assert (seat.has_caretaker, ended) == (True, Holder.Ended.RESIGNED)
    assert table.seats.filter(user=anna).count() == 0


def test_a_rematch_leaves_the_seat_of_who_has_gone_open(anna, bob):
    match = duel(anna, bob)
    person_leave(user=anna)
    answer = as_(bob).post(f"/matches/{match.pk}/rematch/")
    again = Match.objects.get(rematch_of=match)
    assert answer.status_code == 302
    assert list(again.seats.values_list("user", "invitee")) == [(bob.pk, None), (None, None)]


def test_who_has_gone_is_on_no_page_about_people(anna, bob):
    for _ in range(6):
        match_resign(match_id=duel(anna, bob, rated=True).pk, user=bob)
    person_leave(user=anna)
    anna.refresh_from_db()
    assert as_(bob).get(f"/people/{anna.username}/").status_code == 404
    board = as_(bob).get("/leaderboards/obelisk/").content.decode()
    assert (anna.username in board, "Bob" in board) == (False, True)


def test_all_log_ins_and_keys_end_and_the_address_is_free_again(anna):
    elsewhere, secret = Client(), key_create(anna, "bot")
    login = {"login": "Annabelle", "password": "pyramid-22"}
    elsewhere.post("/accounts/login/", login)
    assert elsewhere.get("/matches/").status_code == 200
    person_leave(user=anna)
    assert elsewhere.get("/matches/").status_code == 302
    assert Client().post("/accounts/login/", login).status_code == 200
    key = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/v1/me", headers=key).status_code in (401, 404)
    rows = (EmailAddress, Delivery, Notebook)
    assert [row.objects.filter(user=anna).count() for row in rows] == [0, 0, 0]
    form = {"username": "Annabelle", "email": "annabelle@example.org", "password1": "lapis-44-x"}
    assert Client().post("/accounts/signup/", form).status_code == 302


def test_the_page_asks_for_the_password_and_the_name(anna):
    client = as_(anna)
    address = "/accounts/farewell/"
    assert client.get(address)["Location"].startswith("/accounts/reauthenticate/")
    assert as_(anna).post(address, {"name": "Annabelle"})["Location"].startswith("/accounts/reau")
    client.post(f"/accounts/reauthenticate/?next={address}", {"password": "pyramid-22"})
    assert "type your name: Annabelle" in client.get(address).content.decode()
    refused = client.post(address, {"name": "Bob"})
    assert (refused.status_code, "That is not your name." in refused.content.decode()) == (
        422,
        True,
    )
    assert User.objects.get(pk=anna.pk).is_active
    gone = client.post(address, {"name": "annabelle"}, follow=True)
    assert "Your account is deleted." in gone.content.decode()
    assert not User.objects.get(pk=anna.pk).is_active
    assert client.get("/matches/").status_code == 302


def test_guests_can_go_too():
    guest = guest_create()
    client = as_(guest)
    assert client.get("/accounts/farewell/").status_code == 200
    client.post("/accounts/farewell/", {"name": guest.username})
    guest.refresh_from_db()
    assert (guest.is_active, guest.username.startswith("Anon-")) == (False, True)


def test_the_settings_page_has_privacy_and_data(anna):
    page = as_(anna).get("/accounts/settings/").content.decode()
    for part in ('id="privacy"', 'id="data"', "/accounts/everything.json", "/accounts/farewell/"):
        assert part in page


def test_a_complaint_stays_with_the_moderators(anna, bob):
    report_write(reporter=anna, about=bob, match=None, reason="other", words="Stalls")
    person_leave(user=anna)
    report = Report.objects.get()
    assert (report.reporter_id, report.words) == (anna.pk, "Stalls")
