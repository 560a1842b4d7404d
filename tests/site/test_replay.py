"""Looking back at a match: step by step, through permitted eyes only, and checked from its seed."""

import re
from hashlib import sha256
from html import unescape
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from games.engine.contract import OPEN, write
from games.models import Line, Match, Move, Seat
from games.queries import position_after, record_of, session_of
from games.services import Opponent, match_create
from tests.site.people import duel, finish, legal, market, person, play, play_turn

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def people():
    return [person(name) for name in ("Anna", "Bob", "Cleo")]


@pytest.fixture
def running(people):
    """A match of three in which every seat has had a turn."""
    match = market(*people)
    for seat in range(3):
        play(match, seat, legal(match, seat)[0])
    for seat in range(3):
        play(match, seat, next(move for move in legal(match, seat) if move.startswith("lay_f")))
        play_turn(match, seat)
    match.refresh_from_db()
    return match


@pytest.fixture
def finished(people):
    match = duel(*people[:2])
    finish(match)
    return match


def shown(client, user, match: Match, query: str = "", **extra) -> str:
    client.force_login(user) if user else client.logout()
    answer = client.get(f"/matches/{match.pk}/replay/{query}", **extra)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def said_in(html: str) -> list[str]:
    said = html[html.index('class="said"') : html.index("</form>", html.index('class="said"'))]
    return re.findall(r"<li>(.*?)</li>", said)


# --- step by step ----------------------------------------------------------------------------


def test_a_replay_begins_with_the_laid_table_and_ends_with_the_last_move(client, people, finished):
    last = finished.moves.count()
    first = shown(client, people[0], finished, "?at=0")
    assert f"Move 0 of {last}" in first
    assert said_in(first)[0].startswith("The overseer begins at pile")
    end = shown(client, people[0], finished)
    assert f"Move {last} of {last}" in end
    assert any(sentence.startswith("Victory for ") for sentence in said_in(end))


def test_before_the_first_of_secret_choices_a_replay_says_that_it_begins(client, people):
    market_of_three = market(*people[:2], person("Dina"))
    finish(market_of_three)
    assert "This is how it began." in shown(client, people[0], market_of_three, "?at=0")


def test_every_step_tells_the_lines_of_its_move(client, people, finished):
    moves = record_of(finished)
    for at in (1, 2, len(moves) // 2):
        lines = Line.objects.filter(move=moves[at - 1]).count()
        assert len(said_in(shown(client, people[0], finished, f"?at={at}"))) == lines


def test_a_step_that_is_not_there_shows_the_last(client, finished):
    last = finished.moves.count()
    for at in ("-1", "9999999", "x", "", "1e3", "٣x"):
        html = client.get(f"/matches/{finished.pk}/replay/", {"at": at}, **HTMX).content.decode()
        assert f"Move {last} of {last}" in html, at


def test_the_steps_are_links_and_a_form_that_need_no_script(client, people, finished):
    html = shown(client, people[0], finished, "?at=3")
    links = dict(re.findall(r'rel="(\w+)" href="\?at=(\d+)', html))
    last = str(finished.moves.count())
    assert links == {"first": "0", "prev": "2", "next": "4", "last": last}
    assert f'type="range" id="step" name="at" min="0" max="{last}" value="3"' in html
    fragment = shown(client, people[0], finished, "?at=3", **HTMX)
    assert fragment.lstrip().startswith('<div id="replay"')


def test_a_match_that_has_not_begun_has_no_replay(client, people):
    match = match_create(user=people[0], game="obelisk", opponents=[Opponent("open")])
    client.force_login(people[0])
    assert client.get(f"/matches/{match.pk}/replay/").status_code == 404


# --- through whose eyes ----------------------------------------------------------------------


def hidden_from(match: Match, at: int, seat: int | None) -> set[str]:
    """List the cards that lie somewhere in sight of their owner and not of this viewer."""
    state = position_after(match, record_of(match)[:at]).state
    every, own = state.view(OPEN), state.view(seat)
    return set(cards_in(every)) - set(cards_in(own))


def cards_in(view: object) -> list[str]:
    if isinstance(view, dict):
        return [card for part in view.values() for card in cards_in(part)]
    if isinstance(view, list):
        return [card for part in view for card in cards_in(part)]
    return [view] if isinstance(view, str) and re.fullmatch("[RBGY]([1-5][a-d]|J)", view) else []


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_running_match_hides_at_every_step_what_was_hidden_then(client, people, running, seat):
    viewer = people[seat] if seat is not None else None
    something_to_hide = 0
    for at in range(running.moves.count() + 1):
        secret = hidden_from(running, at, seat)
        something_to_hide += bool(secret)
        for query in ("", "&as=all")[: 1 + (at % 5 == 0)]:
            html = shown(client, viewer, running, f"?at={at}{query}", **HTMX)
            leaked = {card for card in secret if re.search(rf"\b{card}\b", html)}
            assert leaked == set(), (at, query)
    assert something_to_hide > 5


def test_a_whisper_is_told_in_the_replay_to_its_seat_only(client, people, running):
    move = record_of(running)[-1]
    Line.objects.create(
        match=running, move=move, key="took", args={"seat": 1, "card": "RJ", "spot": 9}, to=1
    )
    words = "Bob takes red joker from pile 9."
    assert words in shown(client, people[1], running)
    assert words not in shown(client, people[0], running)
    assert words not in shown(client, None, running)


def test_a_finished_match_is_open_to_all_or_seen_through_one_seats_eyes(client, people):
    match = market(*people)
    finish(match)
    at = match.moves.count() // 2
    state = position_after(match, record_of(match)[:at]).state
    hands = [state.view(OPEN)["seats"][seat]["hand"] for seat in range(3)]

    def hands_in(query: str) -> list[bool]:
        html = shown(client, None, match, f"?at={at}{query}")
        return [all(f'data-key="{card}"' in html for card in hand) for hand in hands]

    assert all(hands)
    assert hands_in("") == [True, True, True]
    assert hands_in("&as=all") == [True, True, True]
    assert hands_in("&as=1") == [False, True, False]
    assert hands_in("&as=nobody") == [False, False, False]
    assert hands_in("&as=17") == [True, True, True]


# --- checked from the seed -------------------------------------------------------------------


def check(client, match: Match) -> str:
    answer = client.get(f"/matches/{match.pk}/check/")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_the_promise_is_public_from_the_start_and_the_seed_after_the_end(
    client, people, running, finished
):
    before = check(client, running)
    assert running.commitment in before
    assert running.seed not in before
    after = check(client, finished)
    assert finished.commitment in after
    assert finished.seed in after
    assert sha256(bytes.fromhex(finished.seed)).hexdigest() == finished.commitment
    assert f"all {finished.moves.count()} recorded moves again from the seed" in after
    first = finished.moves.order_by("pk").first()
    assert f"{first.seat}: {first.text}" in after


def tampered_seed(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(seed="00" * 32)


def tampered_move(match: Match) -> None:
    last = match.moves.order_by("pk").last()
    Move.objects.filter(pk=last.pk).update(text="take 3 cw")


def tampered_position(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(epoch=match.epoch + 1)


def tampered_result(match: Match) -> None:
    Seat.objects.filter(match=match, index=0).update(score=[99, 0])


def test_what_was_tampered_with_is_found_by_page_and_command(client, finished):
    cases = [
        (tampered_seed, "Something does not fit", ""),
        (tampered_move, "A recorded move is refused by the rules of today.", "moves: move"),
        (tampered_position, "The final position is a different one.", "position: epoch"),
        (tampered_result, "The result is a different one.", "result: "),
    ]
    for tamper, words, report in cases:
        with transaction.atomic():
            tamper(finished)
            assert words in check(client, finished)
            told = StringIO()
            with pytest.raises(CommandError):
                call_command("replay", finished.pk, stdout=told)
            assert f"#{finished.pk} {report}" in told.getvalue()
            assert "1 played again, 1 differ" in told.getvalue()
            transaction.set_rollback(True)
    assert "recorded moves again from the seed" in check(client, finished)


def test_the_command_plays_all_matches_again(running, finished):
    told = StringIO()
    call_command("replay", "--all", stdout=told)
    assert told.getvalue() == "2 played again, 0 differ\n"


def test_the_command_wants_matches_that_were_played(running):
    for arguments in ([], [4711], [running.pk, 4711], ["--all", str(running.pk)]):
        with pytest.raises(CommandError):
            call_command("replay", *arguments, stdout=StringIO())


def test_a_running_match_with_drafts_replays_to_where_it_stands(running):
    seat = session_of(running).state.to_act()[0]
    play(running, seat, next(move for move in legal(running, seat) if move.startswith("lay_f")))
    running.refresh_from_db()
    again = position_after(running, record_of(running))
    now = session_of(running)
    assert again.state.dump() == now.state.dump()
    assert [write(move) for _, move in again.drafts] == [write(move) for _, move in now.drafts]
