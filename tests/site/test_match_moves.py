"""What is pressed on a match page: every click, and what every wrong click is answered."""

import re
from html import unescape

import pytest

from games import tasks
from games.catalogue import shelf
from games.models import Match, Move
from games.services import Opponent, match_create
from tests.site.pages import (
    HTMX,
    address,
    count_moves,
    moves_in,
    page,
    post,
    private_duel,
    steps_in,
    table_in,
)
from tests.site.people import duel, finish, legal, market, person, play, token

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(anna, bob):
    return duel(anna, bob)


# --- moves -----------------------------------------------------------------------------------


def test_a_move_without_a_script_is_made_and_leads_back_to_the_page(client, anna, match):
    move = legal(match, 0)[0]
    answer = post(client, anna, match, move=move)
    assert (answer.status_code, answer["Location"]) == (302, address(match))
    assert [one.text for one in Move.objects.filter(match=match)] == [move]


def test_a_move_with_htmx_is_answered_with_the_new_table(client, anna, match):
    answer = post(client, anna, match, move=legal(match, 0)[0], **HTMX)
    html = answer.content.decode()
    match.refresh_from_db()
    assert answer.status_code == 200
    assert f'data-revision="{match.revision}"' in html
    assert "<html" not in html


def test_a_double_click_makes_one_move(client, anna, match):
    fields = {"move": legal(match, 0)[0], "token": token(match, 0)}
    first = post(client, anna, match, **fields, **HTMX)
    second = post(client, anna, match, **fields, **HTMX)
    assert (first.status_code, second.status_code) == (200, 409)
    assert "The board has changed since you looked." in second.content.decode()
    assert count_moves(match) == 1


@pytest.mark.parametrize("extra", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("fields", "status", "words"),
    [
        ({"move": "take 3 cw", "token": "0.0"}, 409, "The board has changed since you looked."),
        ({"move": "end_turn"}, 422, "Take from the quarry first."),
        ({"move": "build R9z 0 top"}, 422, "That card is not there (any more)."),
        ({"move": "fly 1"}, 422, "That is not possible now."),
        ({"move": "drop table; --"}, 422, "That is not a move."),
        ({"move": "take " * 100}, 422, "That is not a move."),
        ({"move": ""}, 422, "That is not a move."),
        ({}, 422, "That is not a move."),
    ],
)
def test_a_wrong_move_is_answered_with_the_reason_and_the_board(
    client, anna, match, fields, status, words, extra
):
    before = Match.objects.filter(pk=match.pk).values().get()
    answer = post(client, anna, match, **fields, **extra)
    html = answer.content.decode()
    assert answer.status_code == status
    assert words in unescape(html)
    assert 'class="board obelisk' in html
    assert Match.objects.filter(pk=match.pk).values().get() == before
    assert count_moves(match) == 0


def test_a_move_out_of_turn_is_refused(client, bob, match):
    answer = post(client, bob, match, move=legal(match, 0)[0])
    assert answer.status_code == 422
    assert "It is not your turn." in answer.content.decode()


def test_somebody_without_a_seat_cannot_move(client, match):
    answer = post(client, person("Mallory"), match, move=legal(match, 0)[0], token=token(match, 0))
    assert answer.status_code == 403
    assert "You do not play in this match." in answer.content.decode()
    assert count_moves(match) == 0


@pytest.mark.parametrize("part", ["move/", "undo/", "restart/", "rematch/", "resign/"])
def test_a_stranger_cannot_touch_a_private_match(client, anna, bob, part):
    match = private_duel(anna, bob)
    answer = post(client, person("Mallory"), match, part, move="take 1 cw")
    assert answer.status_code == 404
    assert count_moves(match) == 0


def test_a_session_that_ended_leads_to_the_login_and_back_to_the_match(client, match):
    client.logout()
    login = f"/accounts/login/?next=/matches/{match.pk}/"
    plain = client.post(address(match, "move/"), {"move": "take 1 cw", "token": "1.0"})
    assert (plain.status_code, plain["Location"]) == (302, login)
    htmx = client.post(address(match, "move/"), {"move": "take 1 cw", "token": "1.0"}, **HTMX)
    assert (htmx.status_code, htmx["HX-Redirect"]) == (200, login)
    back = client.post(login, {"login": "Anna", "password": "pyramid-22"})
    assert (back.status_code, back["Location"]) == (302, address(match))


def test_the_address_of_a_move_leads_to_the_match_when_it_is_opened(client, anna, match):
    client.force_login(anna)
    answer = client.get(address(match, "move/?hold=take+1"))
    assert answer["Location"] == address(match, "?hold=take+1")


def test_a_finished_match_takes_no_move(client, anna, match):
    finish(match)
    answer = post(client, anna, match, move="end_turn")
    assert answer.status_code == 422
    assert "The match has ended." in answer.content.decode()


# --- taking back -----------------------------------------------------------------------------


def foundation(match: Match, seat: int = 0) -> str:
    """A move that reveals nothing, so that it can be taken back."""
    return next(move for move in legal(match, seat) if move.startswith("lay_foundation"))


def test_undo_takes_back_one_step_and_restart_all(client, anna, match):
    for _ in range(2):
        post(client, anna, match, move=foundation(match))
    assert count_moves(match) == 2
    post(client, anna, match, "undo/")
    assert count_moves(match) == 1
    post(client, anna, match, move=foundation(match))
    answer = post(client, anna, match, "restart/", **HTMX)
    assert (answer.status_code, count_moves(match)) == (200, 0)


def test_undo_and_restart_can_be_pressed_only_when_there_is_something_to_take_back(
    client, anna, match
):
    def pressable() -> list[str]:
        html = page(client, anna, match)
        buttons = re.findall(r'formaction="/matches/\d+/(\w+)/"[^>]*?( disabled)?>', html)
        return [name for name, disabled in buttons if not disabled]

    assert pressable() == []
    play(match, 0, foundation(match))
    assert pressable() == ["undo", "restart"]


@pytest.mark.parametrize("part", ["undo/", "restart/"])
def test_nothing_to_take_back_is_said_in_words(client, anna, match, part):
    answer = post(client, anna, match, part)
    assert answer.status_code == 422
    assert "There is nothing to take back." in answer.content.decode()
    answer = post(client, anna, match, part, token="9.9")
    assert answer.status_code == 409


def test_ending_the_turn_is_barred_until_the_duties_are_done(client, anna, match):
    def button() -> str:
        html = page(client, anna, match)
        return re.search(r'<button[^>]*value="end_turn"[^>]*>', html)[0]

    assert " disabled" in button()
    assert "Take from the quarry first." in button()
    play(match, 0, next(move for move in legal(match, 0) if move.startswith("take")))
    assert " disabled" not in button()


# --- holding something -----------------------------------------------------------------------


def test_what_is_held_narrows_the_list_and_can_be_put_back(client, anna, match):
    card = foundation(match).split()[1]
    html = page(client, anna, match, f"?hold={card}")
    expected = [move for move in legal(match, 0) if card in move.split()]
    assert moves_in(html) == expected
    assert f'class="button put-back" href="{address(match)}"' in html


def test_a_whole_move_that_is_held_is_made_by_one_press(client, anna, match):
    move = foundation(match)
    html = page(client, anna, match, "?hold=" + move.replace(" ", "+"))
    assert f'<button class="button primary" name="move" value="{move}">Do it</button>' in html


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Take from the quarry first."),
        ("nl", "Neem eerst uit de steengroeve."),
    ],
)
def test_an_illegal_hold_is_dropped_and_explained(client, anna, match, language, words):
    anna.language = language
    anna.save()
    html = unescape(page(client, anna, match, "?hold=end_turn"))
    refusal = re.search(r'role="alert"><p>(.*?)</p>', html)[1]
    assert refusal.startswith(words)
    assert 'href="/rules/obelisk/#refusal-must_take"' in refusal
    assert "put-back" not in html


@pytest.mark.parametrize("hold", ["%00", "x" * 300, "build;", "<script>", "1 1 1", "🐫"])
def test_nonsense_that_is_held_harms_nothing(client, anna, match, hold):
    client.force_login(anna)
    answer = client.get(address(match), {"hold": hold})
    assert answer.status_code == 200
    assert "<script>" not in table_in(answer.content.decode())


def test_a_long_list_is_chosen_from_step_by_step(client, anna, bob, cleo):
    match = market(anna, bob, cleo)
    html = page(client, anna, match)
    steps = steps_in(html)
    assert len(legal(match, 0)) == 21  # two cards out of seven
    assert len(steps) + len(moves_in(html)) == 6
    found = set(moves_in(html))
    for step in steps:
        client.force_login(anna)
        found |= set(moves_in(client.get(step).content.decode()))
    assert found == set(legal(match, 0))


def test_the_list_and_the_end_button_offer_exactly_the_legal_moves(client, anna, match):
    def offered(link: str) -> set[str]:
        html = client.get(link).content.decode()
        found = set(moves_in(html))
        for step in steps_in(html):
            found |= offered(step)
        return found

    client.force_login(anna)
    play(match, 0, next(move for move in legal(match, 0) if move.startswith("take")))
    assert offered(address(match)) == set(legal(match, 0)) - {"end_turn"}


# --- a whole match without a script ----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", shelf().values(), ids=lambda game: game.slug)
def test_a_whole_match_is_played_by_forms_and_links_alone(client, anna, game):
    bots = [Opponent("bot", "easy") for _ in range(game.seats[-1] - 1)]
    match = match_create(user=anna, game=game.slug, opponents=bots)
    client.force_login(anna)
    link, pressed = address(match), 0
    while pressed < 600:
        html = client.get(link).content.decode()
        if 'class="table finished' in html:
            break
        if "my-turn" not in html:
            tasks.think(match.pk)
            continue
        link = address(match)
        pressed += 1
        end = re.search(r'<button class="[^"]* end"[^>]*value="([^"]*)"([^>]*)>', html)
        fields = {"token": re.search(r'name="token" value="([^"]*)"', html)[1]}
        if end and " disabled" not in end[2]:
            fields["move"] = end[1]
        elif moves_in(html):
            fields["move"] = moves_in(html)[pressed % len(moves_in(html))]
        else:
            link = steps_in(html)[pressed % len(steps_in(html))]
            continue
        answer = client.post(address(match, "move/"), fields)
        assert answer.status_code == 302, answer.content.decode()
    match.refresh_from_db()
    assert match.status == "finished"
    assert "The match has ended" in html
