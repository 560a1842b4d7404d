"""The API: a program sees what its seat may see, does what its seat may do, and nothing else."""

import json
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
import time_machine

from accounts.apikeys import MOST_KEYS, key_create, key_owner
from accounts.models import ApiKey, User
from games.api import gate, views
from games.clock import GRACE
from games.models import Match
from games.queries import session_of
from games.services import Opponent, match_create, match_join
from tests.api.programs import Program
from tests.site.people import (
    awaited,
    away,
    begun,
    duel,
    legal,
    market,
    person,
    play,
    play_turn,
    token,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def program(anna):
    return Program(anna)


# --- keys ------------------------------------------------------------------------------------


def test_a_key_is_shown_once_and_kept_as_a_fingerprint(client, anna):
    client.force_login(anna)
    page = client.post("/accounts/programs/", {"name": "my bot"})
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert secret not in client.get("/accounts/programs/").content.decode()
    key = ApiKey.objects.get()
    assert (key.user, key.name, key.used) == (anna, "my bot", None)
    assert secret not in str(ApiKey.objects.values().get())
    assert key_owner(secret) == anna
    key.refresh_from_db()
    assert key.used is not None


def test_a_revoked_key_opens_nothing(client, anna, bob, program):
    assert program.ask("/api/me/").status_code == 200
    address = f"/accounts/programs/{ApiKey.objects.get().pk}/revoke/"
    client.force_login(bob)
    client.post(address)
    assert program.ask("/api/me/").status_code == 200  # it was not Bob's to revoke
    client.force_login(anna)
    client.post(address)
    assert program.ask("/api/me/").status_code == 401


def test_keys_are_for_members_and_not_without_end(client, anna):
    client.force_login(anna)
    for _ in range(MOST_KEYS + 1):
        page = client.post("/accounts/programs/", {"name": "x"})
    assert (page.context["secret"], ApiKey.objects.count()) == ("", MOST_KEYS)
    client.logout()
    client.post("/play/obelisk/", {"seats": 2})
    assert client.post("/accounts/programs/", {"name": "x"}).context["secret"] == ""


@pytest.mark.parametrize(
    "given", ["", "Bearer ", "Bearer nile_wrong", "Basic bmlsZQ==", "Bearer é"]
)
def test_without_a_key_there_is_nothing(program, given):
    answer = program.ask("/api/me/", HTTP_AUTHORIZATION=given)
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_a_key_of_somebody_who_was_locked_out_opens_nothing(anna, program):
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert program.ask("/api/me/").status_code == 401


def test_a_log_in_does_not_count_here(client, anna):
    client.force_login(anna)
    assert client.get("/api/me/").status_code == 401


def test_too_many_requests_are_told_to_wait(program, monkeypatch):
    monkeypatch.setattr(gate, "REQUESTS_PER_MINUTE", 2)
    monkeypatch.setattr(gate, "STRANGERS_PER_MINUTE", 1)
    answers = [program.ask("/api/me/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[-1]["Retry-After"] == "60"
    strange = [program.ask("/api/me/", HTTP_AUTHORIZATION="x").status_code for _ in range(2)]
    assert strange == [401, 429]


# --- what is seen ----------------------------------------------------------------------------


def test_a_seat_sees_its_view_and_its_moves(anna, bob, program):
    match = duel(anna, bob)
    told = program.told(f"/api/matches/{match.pk}/")
    session = session_of(match)
    assert told["view"] == json.loads(json.dumps(session.state.view(0)))
    assert told["moves"] == legal(match, 0)
    assert (told["seat"], told["to_act"], told["token"]) == (0, [0], session.token(0))
    other = Program(bob).told(f"/api/matches/{match.pk}/")
    assert other["view"] == json.loads(json.dumps(session.state.view(1)))
    assert (other["seat"], other["moves"]) == (1, [])


def test_whoever_only_watches_sees_what_a_spectator_sees(anna, bob):
    match = duel(anna, bob)
    told = Program(person("Carl")).told(f"/api/matches/{match.pk}/")
    assert told["view"] == json.loads(json.dumps(session_of(match).state.view(None)))
    assert (told["seat"], told["token"], told["moves"]) == (None, "", [])


def test_a_private_match_is_not_there_for_others(anna, bob):
    match = duel(anna, bob)
    Match.objects.filter(pk=match.pk).update(private=True)
    carl = Program(person("Carl"))
    for part in ("", "log/"):
        assert carl.ask(f"/api/matches/{match.pk}/{part}").status_code == 404
    for part, sent in (("move/", {"token": "1", "move": "x"}), ("join/", {}), ("resign/", {})):
        assert carl.ask(f"/api/matches/{match.pk}/{part}", sent).status_code == 404
    assert carl.told(f"/api/matches/{match.pk}/?link={match.link}")["seat"] is None


def test_neither_seed_nor_link_nor_snapshot_is_ever_told(anna, bob, program):
    match = duel(anna, bob)
    for address in ("/api/matches/", f"/api/matches/{match.pk}/", f"/api/matches/{match.pk}/log/"):
        text = program.ask(address).content.decode()
        assert match.seed not in text
        assert match.link not in text


def test_a_poll_that_saw_it_all_gets_nothing(anna, bob, program):
    match = duel(anna, bob)
    address = f"/api/matches/{match.pk}/?seen={match.revision}"
    assert program.ask(address).status_code == 204
    play(match, 0, legal(match, 0)[0])
    assert program.ask(address).status_code == 200


@pytest.mark.parametrize("address", ["", "log/"])
def test_whoever_reads_a_match_in_which_time_is_up_ends_it(anna, bob, program, address):
    match = begun(anna, bob)
    with time_machine.travel(awaited(match).deadline + GRACE):
        told = program.told(f"/api/matches/{match.pk}/{address}")
    match.refresh_from_db()
    assert (match.status, match.ending) == ("finished", "on_time")
    if address:
        assert told["lines"][-1]["key"] == "site_lost_on_time"
    else:
        assert (told["status"], [one["rank"] for one in told["players"]]) == ("finished", [2, 1])


def test_my_matches_are_listed_the_newest_first_and_page_by_page(anna, bob, program, monkeypatch):
    monkeypatch.setattr("games.api.views.ENTRIES", 2)
    first, second, third = (duel(anna, bob) for _ in range(3))
    duel(bob, person("Carl"))
    page = program.told("/api/matches/")
    assert [one["id"] for one in page["matches"]] == [third.pk, second.pk]
    rest = program.told(f"/api/matches/?before={page['before']}")
    assert ([one["id"] for one in rest["matches"]], rest["before"]) == ([first.pk], None)
    assert program.told("/api/matches/?status=finished") == {"matches": [], "before": None}
    play_turn(third, 0)
    waiting = program.told("/api/matches/?waiting=1")["matches"]
    assert [(one["id"], one["my_turn"]) for one in waiting] == [(second.pk, True), (first.pk, True)]
    assert [one["my_turn"] for one in program.told("/api/matches/")["matches"]] == [False, True]


def test_while_a_caretaker_plays_it_is_not_the_programs_turn(anna, bob, program):
    match = market(anna, bob, person("Carl"))
    away(match, anna)
    seat = program.told(f"/api/matches/{match.pk}/")
    assert (seat["seat"], seat["to_act"], seat["moves"]) == (0, [0, 1, 2], [])
    assert program.told("/api/matches/?waiting=1")["matches"] == []
    assert [one["my_turn"] for one in program.told("/api/matches/")["matches"]] == [False]


def test_the_log_is_told_in_the_readers_words(anna, bob, program):
    match = duel(anna, bob)
    play(match, 0, legal(match, 0)[0])
    lines = program.told(f"/api/matches/{match.pk}/log/")["lines"]
    assert lines[-1]["seat"] == 0
    assert "Anna" in lines[-1]["text"]


# --- what is done ----------------------------------------------------------------------------


def test_a_program_moves(anna, bob, program):
    match = duel(anna, bob)
    before = program.told(f"/api/matches/{match.pk}/")
    address = f"/api/matches/{match.pk}/"
    sent = {"token": before["token"], "move": before["moves"][0]}
    after = program.told(address + "move/", sent)
    assert match.moves.get().text == before["moves"][0]
    assert after["revision"] == before["revision"] + 1
    assert program.ask(address + "move/", sent).status_code == 409  # the same click again


@pytest.mark.parametrize("whole_turn", [False, True])
def test_a_program_takes_back_what_is_still_its_own(anna, bob, program, whole_turn):
    match = market(anna, bob, person("Carl"))
    address = f"/api/matches/{match.pk}/"
    before = program.told(address)
    sent = {"token": before["token"], "move": before["moves"][0]}
    chosen = program.told(address + "move/", sent)
    undo = {"token": chosen["token"], "whole_turn": whole_turn}
    undone = program.told(address + "undo/", undo)
    assert (before["can_undo"], chosen["can_undo"], undone["can_undo"]) == (False, True, False)
    assert (undone["view"], undone["moves"]) == (before["view"], before["moves"])
    assert (chosen["view"] == before["view"], match.moves.count()) == (False, 0)
    assert program.ask(address + "undo/", {"token": undone["token"]}).status_code == 422


def test_what_the_rules_refuse_is_refused_in_words(anna, bob, program):
    match = duel(anna, bob)
    address = f"/api/matches/{match.pk}/move/"
    answer = program.ask(address, {"token": token(match, 0), "move": "take 99 cw"})
    assert answer.status_code == 422
    assert answer.json()["message"]
    other = Program(bob).ask(address, {"token": token(match, 1), "move": legal(match, 0)[0]})
    told = {"error": "not_your_turn", "message": "It is not your turn."}
    assert (other.status_code, other.json()) == (422, told)
    stranger = Program(person("Carl")).ask(address, {"token": "1", "move": "end_turn"})
    assert stranger.status_code == 403
    assert not match.moves.exists()


def test_a_program_opens_a_table_and_another_joins_it(anna, bob, program):
    wanted = {"game": "sakkara", "opponents": [{"kind": "open"}], "pace": "friends"}
    table = program.told("/api/matches/", wanted)
    assert (table["status"], table["seat"], table["view"]) == ("open", 0, None)
    joined = Program(bob).told(f"/api/matches/{table['id']}/join/", {})
    assert (joined["status"], joined["seat"]) == ("running", 1)
    assert [player["name"] for player in joined["players"]] == ["Anna", "Bob"]


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"game": "checkers"}, 422),
        ({"opponents": [{"kind": "bot", "who": "wizard"}]}, 422),
        ({"opponents": [{"kind": "person", "who": "Nobody"}]}, 422),
        ({"opponents": [{"kind": "person", "who": "@"}]}, 422),
        ({"opponents": [{"kind": "person", "who": "a@b.org\nBcc: x@y.org"}]}, 422),
        ({"opponents": []}, 400),
        ({"options": {"surprise": 1}}, 422),
        ({"pace": "warp"}, 400),
        ({"seed": "00"}, 400),
    ],
)
def test_a_table_that_cannot_be_is_refused(program, change, status):
    wanted = {"game": "sakkara", "opponents": [{"kind": "open"}]} | change
    answer = program.ask("/api/matches/", wanted)
    assert (answer.status_code, Match.objects.count()) == (status, 0)


def test_a_secret_choice_of_others_is_not_told(anna, bob):
    carl = person("Carl")
    match = market(anna, bob, carl)
    programs = [Program(user) for user in (anna, bob, carl)]
    before = programs[1].told(f"/api/matches/{match.pk}/")["view"]
    mine = programs[0].told(f"/api/matches/{match.pk}/")
    seen = []
    for move in mine["moves"][:2]:
        now = programs[0].told(f"/api/matches/{match.pk}/")
        after = programs[0].told(
            f"/api/matches/{match.pk}/move/", {"token": now["token"], "move": move}
        )
        seen.append(programs[1].told(f"/api/matches/{match.pk}/")["view"])
        programs[0].told(f"/api/matches/{match.pk}/undo/", {"token": after["token"]})
    assert seen[0] == seen[1]
    assert programs[1].told(f"/api/matches/{match.pk}/")["view"] == before


def test_nobody_begins_matches_without_end(program, monkeypatch):
    monkeypatch.setattr(views, "NEW_MATCHES_PER_HOUR", 2)
    wanted = {"game": "sakkara", "opponents": [{"kind": "bot", "who": "easy"}]}
    answers = [program.ask("/api/matches/", wanted) for _match in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert (answers[2]["Retry-After"], Match.objects.count()) == ("3600", 2)


def test_a_method_that_is_not_described_is_refused(program):
    answer = program.client.delete("/api/matches/", HTTP_AUTHORIZATION=f"Bearer {program.secret}")
    assert (answer.status_code, answer["Allow"]) == (405, "GET, POST")


@pytest.mark.parametrize("place", ["", "me", "matches/one/", "matches/1/move", "matches/1/x/"])
def test_where_there_is_no_address_a_program_is_told_so_in_its_own_form(program, place):
    for ask in (program.client.get, program.client.post, program.client.delete):
        answer = ask(f"/api/{place}")
        words = "There is no such address. Each of them ends with a slash."
        assert (answer.status_code, answer.json()) == (404, {"error": "gone", "message": words})


@pytest.mark.parametrize("path", ["/api/me/", "/api/matches/1/", "/api/x\x00/", "/api/"])
@pytest.mark.parametrize("charset", ["utf-16", "rot13", "no-such"])
def test_a_request_in_no_encoding_of_ours_is_refused_in_the_form_of_the_api(program, path, charset):
    kind = f"application/json; charset={charset}"
    for method in ("GET", "POST"):
        answer = program.client.generic(method, path, "{}", kind)
        assert (answer.status_code, answer.json()["error"]) == (400, "malformed")


def test_a_fault_of_ours_is_told_in_the_form_of_the_api(program, anna, bob):
    match = duel(anna, bob)
    Match.objects.filter(pk=match.pk).update(snapshot="{")
    program.client.raise_request_exception = False
    answer = program.ask(f"/api/matches/{match.pk}/")
    assert (answer.status_code, answer.json()["error"]) == (500, "broken")


# --- the example -----------------------------------------------------------------------------


def example():
    path = Path("docs/example_bot.py")
    module = module_from_spec(spec := spec_from_file_location("example_bot", path))
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_example_bot_plays_a_whole_match(live_server, monkeypatch):
    monkeypatch.setattr(gate, "REQUESTS_PER_MINUTE", 10**6)
    bot = example()
    anna, bob = person("Anna"), person("Bob")
    match = match_create(user=anna, game="sakkara", opponents=[Opponent("open")], pace="friends")
    match_join(match_id=match.pk, user=bob)
    ends = []

    def let_play(key: str) -> None:
        ends.append(bot.play(bot.Site(live_server.url, key), match.pk, pause=0.02))

    keys = [key_create(user, "example") for user in (anna, bob)]
    players = [threading.Thread(target=let_play, args=[key]) for key in keys]
    for player in players:
        player.start()
    for player in players:
        player.join(timeout=300)
    match.refresh_from_db()
    assert match.status == "finished"
    assert [end["status"] for end in ends] == ["finished", "finished"]
    ranks = [seat.rank for seat in match.seats.all()]
    assert all([player["rank"] for player in end["players"]] == ranks for end in ends)
