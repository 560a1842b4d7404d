"""The match page: who sees what, what a click does, and what every wrong click is answered."""

import re
from datetime import timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from games import chairs, pages, services, tasks
from games.catalogue import shelf
from games.engine.contract import State
from games.engine.session import Session
from games.models import Line, Match, Move, Seat
from games.queries import LOG_LENGTH, match_with_seats, session_of
from games.services import Opponent, match_cancel, match_create
from tests.site.people import duel, finish, legal, market, person, play, play_turn, token

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def match(anna, bob):
    return duel(anna, bob)


@pytest.fixture
def crowd():
    return [person(name) for name in ("Anna", "Bob", "Cleo", "Daan", "Eva")]


def private_duel(host, guest) -> Match:
    match = duel(host, guest)
    match.private = True
    match.save()
    return match


def address(match: Match, part: str = "") -> str:
    return f"/matches/{match.pk}/{part}"


def page(client, user, match: Match, part: str = "", **extra) -> str:
    if user:
        client.force_login(user)
    else:
        client.logout()
    response = client.get(address(match, part), **extra)
    assert response.status_code == 200, response
    return response.content.decode()


def post(client, user, match: Match, part: str = "move/", **extra):
    """Post as a seat's user would, with the present token unless another is given."""
    client.force_login(user)
    seat = match.seats.filter(user=user).first()
    given = {key: extra.pop(key) for key in ("move", "token") if key in extra}
    fields = {"token": token(match, seat.index) if seat else "1.0"} | given
    return client.post(address(match, part), fields, **extra)


def recap_of(match: Match, seat: int) -> list[str]:
    sight = pages.sight_of(match_with_seats(match.pk), seat)
    return [sentence.text for sentence in pages.context_of(sight)["page"].recap]


def moves_in(html: str) -> list[str]:
    """List the moves that can be posted from the list of moves."""
    return re.findall(r'class="move" name="move" value="([^"]*)"', html)


def steps_in(html: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'class="move step" href="([^"]*)"', html)]


def table_in(html: str) -> str:
    """Cut out what htmx swaps."""
    return html[html.index('<div id="table"') : html.index("</nav>", html.index('class="more'))]


def count_moves(match: Match) -> int:
    return Move.objects.filter(match=match).count()


# --- who may look ----------------------------------------------------------------------------


def test_a_player_is_told_that_it_is_their_turn_and_what_to_do(client, anna, match):
    html = page(client, anna, match)
    assert "<title>● Your turn · Obelisk" in " ".join(html.split())
    assert "<h2>Your turn</h2>" in html
    assert 'id="sentence">Take from the quarry first.<' in html


def test_the_other_player_is_told_whom_to_wait_for(client, bob, match):
    html = page(client, bob, match)
    assert "<h2>Anna to move</h2>" in html
    assert "Waiting for Anna." in html
    assert moves_in(html) == []


def test_a_spectator_sees_the_board_and_nothing_to_press(client, match):
    html = page(client, None, match)
    assert 'class="board obelisk' in html
    assert "<form id=" not in html
    assert 'name="move"' not in html
    assert "hx-post" not in table_in(html)


def test_nobody_else_finds_a_private_match(client, anna, bob):
    match = private_duel(anna, bob)
    for visitor in (None, person("Mallory")):
        client.logout()
        if visitor:
            client.force_login(visitor)
        for part in ("", "replay/", "check/", "others/", "?hold=take+1", "resign/"):
            answer = client.get(address(match, part))
            login_first = part == "resign/" and visitor is None
            assert answer.status_code == (302 if login_first else 404), part
    assert 'class="board' in page(client, bob, match)


@pytest.mark.parametrize("part", ["", "?seen=3", "replay/", "check/", "others/"])
def test_an_unknown_match_is_not_found(client, part):
    assert client.get(f"/matches/4711/{part}").status_code == 404
    assert client.get(f"/matches/99999999999999999999/{part}").status_code == 404


def test_an_open_table_shows_its_own_page(client, anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    html = page(client, anna, match)
    assert 'id="table"' not in html
    assert reverse("match_cancel", args=[match.pk]) in html


def test_a_cancelled_table_says_so(client, anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("open")])
    match_cancel(match_id=match.pk, user=anna)
    assert "This table was closed before anybody played." in page(client, anna, match)


def test_the_templates_get_no_position_no_rows_and_no_seed(client, anna, match):
    client.force_login(anna)
    context = client.get(address(match)).context
    ours = {key: context[key] for key in ("page", "drawing", "explanations")}
    secret = State | Session | Model
    assert [kind.__name__ for kind in kinds_in(ours) if issubclass(kind, secret)] == []
    assert match.seed not in repr(ours)
    given = [value for part in context for value in part.flatten().values()]
    assert [value for value in given if isinstance(value, secret) and value != anna] == []


def kinds_in(value: object) -> set[type]:
    """Collect the types of everything reachable from a value."""
    found = {type(value)}
    parts = []
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list | tuple | set):
        parts = list(value)
    elif hasattr(value, "__dataclass_fields__"):
        parts = [getattr(value, name) for name in value.__dataclass_fields__]
    for part in parts:
        found |= kinds_in(part)
    return found


def test_a_private_match_can_be_watched_by_its_link_and_nothing_else(client, anna, bob):
    match = private_duel(anna, bob)
    for part in ("", "replay/", "check/"):
        assert client.get(address(match, part), {"link": "guessed"}).status_code == 404
        html = client.get(address(match, part), {"link": match.link}).content.decode()
        links = re.findall(rf'href="(?:{address(match)})?(replay/|check/)?(\?[^"]*)', html)
        assert links
        assert all(f"link={match.link}" in query for _, query in links), part
    assert match.link not in page(client, anna, match)


def test_a_name_cannot_write_html(client, bob):
    evil = person("Eve", first_name="x")
    evil.username = "\"'><img src=x onerror=a(1)>"  # as long as a name may be, past all forms
    evil.save()
    match = duel(evil, bob)
    play_turn(match, 0)
    play(match, 1, next(move for move in legal(match, 1) if move.startswith("trade")))
    for part in ("", "others/", "replay/", "?hold=trade"):
        assert "<img src=x" not in page(client, bob, match, part)


# --- polling ---------------------------------------------------------------------------------


@pytest.mark.parametrize("private", [False, True])
def test_a_poll_that_has_seen_everything_costs_one_query(
    client, anna, bob, private, django_assert_num_queries
):
    match = private_duel(anna, bob) if private else duel(anna, bob)
    client.force_login(anna)
    with django_assert_num_queries(1):
        answer = client.get(address(match), {"seen": match.revision}, **HTMX)
    assert (answer.status_code, answer.content) == (204, b"")


def test_a_poll_after_a_change_gets_the_new_table(client, anna, bob, match):
    seen = match.revision
    play(match, 0, legal(match, 0)[0])
    client.force_login(bob)
    answer = client.get(address(match), {"seen": seen}, **HTMX)
    html = answer.content.decode()
    match.refresh_from_db()
    assert answer.status_code == 200
    assert html.lstrip().startswith('<div id="table"')
    assert f'data-revision="{match.revision}"' in html


def test_a_page_looks_often_while_a_bot_thinks_and_never_after_the_end(client, anna):
    match = match_create(
        user=anna,
        game="obelisk",
        opponents=[Opponent("bot", "easy")],
        options={"first_player": 1},
    )
    assert 'data-poll="1"' in page(client, anna, match)
    tasks.think(match.pk)
    assert 'data-poll="15"' in page(client, anna, match)
    finish(match)
    assert 'data-poll="0"' in page(client, anna, match)


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


def test_a_long_list_is_chosen_from_step_by_step(client, crowd):
    match = market(*crowd[:3])
    html = page(client, crowd[0], match)
    steps = steps_in(html)
    assert len(legal(match, 0)) == 21  # two cards out of seven
    assert len(steps) + len(moves_in(html)) == 6
    found = set(moves_in(html))
    for step in steps:
        client.force_login(crowd[0])
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


# --- recap and log ---------------------------------------------------------------------------


def test_the_recap_tells_what_the_others_did_and_first_what_touches_me(client, anna, bob, match):
    play_turn(match, 0)
    for verb in ("lay_foundation", "trade"):
        play(match, 1, next(move for move in legal(match, 1) if move.startswith(verb)))
    play_turn(match, 1)
    html = page(client, anna, match)
    recap = html[html.index('class="recap') : html.index('class="log')]
    sentences = re.findall(r"<li( class=\"touches\")?>(.*?)</li>", recap)
    assert [bool(mark) for mark, _ in sentences] == sorted(
        [bool(mark) for mark, _ in sentences], reverse=True
    )
    assert sentences[0][0]
    assert sentences[0][1].startswith("Bob gives Anna ")
    assert all(words.startswith("Bob") for _, words in sentences if "turned up" not in words)
    step = re.search(r"replay/\?move=\d+", recap)[0]
    assert sentences[-1][1] in page(client, anna, match, "replay/")
    assert "Bob" in page(client, anna, match, step)


def test_the_recap_stays_when_the_site_speaks_in_the_midst_of_a_turn(anna, bob, match):
    """And what one did oneself is no news: a day that was taken, a pause that was proposed."""
    play_turn(match, 0)
    play_turn(match, 1)
    play(match, 0, legal(match, 0)[0])
    before = recap_of(match, 0)
    assert before[-1] == "Bob ends the turn."
    services.day_take(match_id=match.pk, user=anna)
    assert recap_of(match, 0) == before
    services.proposal_make(match_id=match.pk, user=bob, kind="pause", days=3)
    assert recap_of(match, 0) == [*before, "Bob proposes a pause of 3 days."]


def test_the_log_is_told_turn_by_turn(client, anna, match):
    play_turn(match, 0)
    html = page(client, anna, match)
    log = html[html.index('class="log panel') :]
    heads = [" ".join(head.split()) for head in re.findall(r'class="log-who">\s*([^<]*?)\s*<', log)]
    assert heads == ["The table is laid", "Anna"]
    assert "Anna ends the turn." in log


# --- clocks ----------------------------------------------------------------------------------


def test_a_deadline_is_told_as_time_left_weekday_and_zone(client, anna, match):
    anna.time_zone = "Europe/Amsterdam"
    anna.save()
    deadline = timezone.now() + timedelta(days=2, hours=3, minutes=5)
    Seat.objects.filter(match=match, index=0).update(deadline=deadline)
    html = page(client, anna, match)
    local = timezone.localtime(deadline, ZoneInfo("Europe/Amsterdam"))
    assert f"2 d 3 h left, until {local:%A} {local:%H:%M} {local.tzname()}" in html


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=1, minutes=1), "1 d 0 h left"),
        (timedelta(hours=5, minutes=12, seconds=30), "5 h 12 min left"),
        (timedelta(minutes=7, seconds=59), "7 min left"),
        (timedelta(0), "time is up"),
        (timedelta(seconds=-9), "time is up"),
    ],
)
def test_time_left_is_never_rounded_up(left, words):
    now = timezone.now()
    assert chairs.clock_of(now + left, now).left == words


# --- what the others see ---------------------------------------------------------------------


def test_what_the_others_see_is_exactly_what_a_spectator_sees(client, crowd):
    match = market(*crowd[:3])
    for seat in range(3):
        play(match, seat, legal(match, seat)[0])
    match.refresh_from_db()
    hand = session_of(match).state.view(0)["seats"][0]["hand"]
    spectator = table_in(page(client, None, match))
    others = table_in(page(client, crowd[0], match, "others/"))
    own = table_in(page(client, crowd[0], match))
    assert others == spectator
    assert all(f'data-key="{card}"' in own for card in hand)
    assert not any(f'data-key="{card}"' in others for card in hand)


def test_the_others_page_is_for_players(client, match):
    client.force_login(person("Mallory"))
    assert client.get(address(match, "others/"))["Location"] == address(match)


# --- going on --------------------------------------------------------------------------------


def test_next_goes_to_the_match_with_least_time_left_and_round_the_others(client, anna, bob):
    matches = [duel(anna, bob) for _ in range(3)]
    for match, hours in zip(matches, (9, 3, 6), strict=True):
        soon = timezone.now() + timedelta(hours=hours)
        Seat.objects.filter(match=match, user=anna).update(deadline=soon)
    slow, quick, middle = matches
    client.force_login(anna)

    def after(query: str) -> str:
        return client.get("/matches/next/" + query)["Location"]

    assert after("") == address(quick)
    assert after(f"?after={quick.pk}") == address(middle)
    assert after(f"?after={middle.pk}") == address(slow)
    assert after(f"?after={slow.pk}") == address(quick)
    assert after("?after=nonsense") == address(quick)
    play_turn(quick, 0)
    assert after(f"?after={quick.pk}") == address(middle)


def test_next_without_another_match_says_so(client, anna, bob, match):
    client.force_login(anna)
    assert client.get(f"/matches/next/?after={match.pk}")["Location"] == address(match)
    client.force_login(bob)
    assert client.get("/matches/next/")["Location"] == "/matches/"
    client.logout()
    assert "/accounts/login/" in client.get("/matches/next/")["Location"]


def test_resigning_from_a_match_of_two_asks_first_and_then_is_a_loss(client, anna, match):
    assert "You lose this match." in page(client, anna, match, "resign/")
    match.refresh_from_db()
    assert match.status == "running"
    answer = client.post(address(match, "resign/"))
    assert answer["Location"] == "/matches/"
    match.refresh_from_db()
    assert (match.status, [seat.rank for seat in match.seats.all()]) == ("finished", [2, 1])


def test_the_last_person_to_resign_calls_the_match_off(client, anna):
    match = match_create(user=anna, game="obelisk", opponents=[Opponent("bot", "easy")])
    assert "the match will be called off" in page(client, anna, match, "resign/")
    client.post(address(match, "resign/"))
    match.refresh_from_db()
    assert match.status == "cancelled"
    assert "This match was called off." in page(client, None, match)


def test_a_finished_match_shows_the_result_and_offers_a_rematch(client, anna, bob, match):
    finish(match)
    html = page(client, anna, match)
    seats = sorted(match.seats.all(), key=lambda seat: (seat.rank, seat.index))
    rows = re.findall(r"<td>(\d)</td><th scope=\"row\">(?:<a [^>]+>)?(\w+)", html)
    assert rows == [(str(seat.rank), seat.name) for seat in seats]
    assert 'name="move"' not in html
    assert "Rematch" in html
    result = html.split('class="result')[1].split("</section>")[0]
    assert f'href="/matches/next/?after={match.pk}">Next match waiting for me' in result
    again = client.post(address(match, "rematch/"))["Location"]
    client.force_login(bob)
    assert client.post(address(match, "rematch/"))["Location"] == again
    assert Match.objects.filter(rematch_of=match).count() == 1


def test_a_rematch_of_a_running_match_or_by_a_stranger_is_refused(client, anna, match):
    assert post(client, anna, match, "rematch/").status_code == 422
    finish(match)
    answer = post(client, person("Mallory"), match, "rematch/")
    assert answer.status_code == 403
    assert not Match.objects.filter(rematch_of=match).exists()


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


# --- cost ------------------------------------------------------------------------------------


def test_a_page_costs_the_same_number_of_queries_however_long_the_match(
    client, crowd, django_assert_max_num_queries
):
    counts = set()
    for seats, lines in ((2, 5), (2, 500), (5, 5), (5, 500)):
        match = duel(*crowd[:2]) if seats == 2 else market(*crowd)
        Line.objects.bulk_create(
            Line(match=match, key="ended_turn", args={"seat": 0}) for _ in range(lines)
        )
        for part in ("", "?hold=take", "replay/?at=0"):
            client.force_login(crowd[0])
            client.get(address(match))
            with django_assert_max_num_queries(9) as captured:
                assert client.get(address(match, part)).status_code == 200
            counts.add((part, len(captured)))
    assert len(counts) == 3, counts


def test_only_so_many_lines_of_a_long_log_are_printed(client, anna, match):
    Line.objects.bulk_create(
        Line(match=match, key="ended_turn", args={"seat": 0}) for _ in range(1000)
    )
    html = page(client, anna, match)
    assert html.count("data-move=") == LOG_LENGTH
    assert "What happened before is in the replay." in html
