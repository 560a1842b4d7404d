"""The match page: who sees what of it, what it tells, and what it costs."""

import re
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from games import chairs, services, tasks
from games.engine.contract import State, write
from games.engine.session import Session
from games.models import Line, Seat
from games.queries import LOG_LENGTH, session_of
from games.services import Opponent, match_cancel, match_create, match_join
from tests.site.pages import HTMX, address, moves_in, page, private_duel, recap_of, table_in
from tests.site.people import awaited, duel, finish, legal, market, person, play, play_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(anna, bob):
    return duel(anna, bob)


# --- who may look ----------------------------------------------------------------------------


def test_a_player_is_told_that_it_is_their_turn_and_what_to_do(client, anna, match):
    html = page(client, anna, match)
    assert "<title>● Your turn · Obelisk" in " ".join(html.split())
    assert "<h2>Your turn</h2>" in html
    assert 'id="sentence">Take from the quarry first.<' in html


def test_what_the_rules_of_a_match_differ_in_stands_beside_it(client, anna, bob, match):
    assert "Variants" not in page(client, anna, match)
    expert = match_create(
        user=anna, game="obelisk", opponents=[Opponent("open")], options={"expert": 1}
    )
    match_join(match_id=expert.pk, user=bob)
    for viewer in (anna, bob, None):
        html = page(client, viewer, expert)
        assert "<li>Scoring: Only finished obelisks</li>" in html


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


def test_to_a_spectator_nobody_who_chooses_is_another(client, anna, bob):
    match = market(anna, bob, person("Dina"))
    assert "<strong>Players choose</strong>" in page(client, person("Eve"), match)


def test_what_the_others_see_speaks_of_no_cards_in_a_game_without_any(client, anna, bob):
    match = match_create(user=anna, game="valley", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=bob)
    html = page(client, anna, match, "others/")
    assert "what is theirs alone to know" in html
    assert "cards" not in html[html.index('class="note"') : html.index('id="table"')]


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
    step = re.search(r"replay/\?line=\d+", recap)[0]
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


def state_of(match):
    match.refresh_from_db()
    return session_of(match).state


def test_who_made_the_last_of_secret_choices_is_told_what_came_of_them_too(anna, bob):
    match = match_create(user=anna, game="valley", opponents=[Opponent("open")])
    match_join(match_id=match.pk, user=bob)
    first = awaited(match).index
    last = 1 - first
    names = [seat.name for seat in match.seats.order_by("index")]
    for seat, bid in ((first, "bid_place v4 1"), (last, "bid_place v3 2")):
        play(match, seat, bid)
        play(match, seat, "bid_confirm")
    play_turn(match, first)  # its overseers stay
    won = [text.split(":")[0] for text in recap_of(match, last)]
    assert won[0] == f"{names[last]} wins group 2 with 3"
    assert won[1] == f"{names[first]} wins group 1 with 4"
    while (state := state_of(match)).phase != "overseers_secret":
        seat = state.to_act()[0]
        play(match, seat, write(state.idle(seat)))
    for seat, order in ((first, "overseer_move 0 13-A"), (last, "overseer_move 0 14-A")):
        play(match, seat, order)
        play(match, seat, "overseers_confirm")
    told = recap_of(match, last)
    assert f"{names[first]} sends an overseer to 13-A." in told
    assert f"{names[last]} sends an overseer to 14-A." not in told  # that is no news


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


def test_what_the_others_see_is_exactly_what_a_spectator_sees(client, anna, bob, cleo):
    match = market(anna, bob, cleo)
    for seat in range(3):
        play(match, seat, legal(match, seat)[0])
    match.refresh_from_db()
    hand = session_of(match).state.view(0)["seats"][0]["hand"]
    spectator = table_in(page(client, None, match))
    others = table_in(page(client, anna, match, "others/"))
    own = table_in(page(client, anna, match))
    assert others == spectator
    assert all(f'data-key="{card}"' in own for card in hand)
    assert not any(f'data-key="{card}"' in others for card in hand)


def test_the_others_page_is_for_players(client, match):
    client.force_login(person("Mallory"))
    assert client.get(address(match, "others/"))["Location"] == address(match)


# --- cost ------------------------------------------------------------------------------------


def test_a_page_costs_the_same_number_of_queries_however_long_the_match(
    client, anna, bob, cleo, django_assert_max_num_queries
):
    five, counts = (anna, bob, cleo, person("Daan"), person("Eva")), set()
    for seats, lines in ((2, 5), (2, 500), (5, 5), (5, 500)):
        match = duel(anna, bob) if seats == 2 else market(*five)
        Line.objects.bulk_create(
            Line(match=match, key="ended_turn", args={"seat": 0}) for _ in range(lines)
        )
        for part in ("", "?hold=take", "replay/?at=0"):
            client.force_login(anna)
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
    assert html.count("data-line=") == LOG_LENGTH
    assert "What happened before is in the replay." in html
