"""The site's figures: making a move, the board, the page and the poll, beside a bare Django POST.

Run as a child with BENCH_DATABASE_URL, one for each database.
"""

import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
django.setup()

import orjson  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.template.loader import render_to_string  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from bench.bare.models import Board  # noqa: E402
from bench.browser import Answer, Browser, bare, site  # noqa: E402
from bench.measure import Figure, cost, figure, number  # noqa: E402
from bench.players import Players, Turn, engine_alone  # noqa: E402
from bench.report import Case, Part, Row, Section, at_most, table, worst  # noqa: E402
from games.catalogue import Scene, shelf  # noqa: E402

MOVES, GETS = 10, 4  # in a round
HEAD = (
    "game",
    "bare POST, ms",
    "with the site's middleware, ms",
    "POST of a move, ms",
    "of it engine, ms",
    "queries",
    "GET of the page, ms",
    "queries",
    "board, ms",
    "KB",
    "poll, ms",
    "queries",
)
NOTES = """\
CPU time of the web process only. *Bare POST*: no middleware, one locked row with 8 KB of JSON
read, changed and written, one row inserted (`bench/bare`). *With the site's middleware*: the same
for somebody who is logged in: session, user, CSRF and everything else a real request passes. *POST
of a move*: all that, answered with the swapped part of the page. *Engine*: loading the position
twice, the rules' own check and move, one list of moves and one view. *Board*: drawing it and
printing its template, of which *KB* is the size. Matches are played half-way before they are
measured."""


class Round(NamedTuple):
    """CPU seconds of one request or part of one, averaged over a round."""

    bare: float
    dressed: float
    post: float
    engine: float
    page: float
    poll: float
    board: float


def part(rounds: int) -> Part:
    call_command("migrate", "--run-syncdb", verbosity=0)
    application, cases, lines = site(), [], []
    bare_post = _bare_post(Browser(bare()))
    for game in shelf().values():
        for seats in sorted({game.seats[0], game.seats[-1]}):
            players = Players(application, game, seats)
            dressed_post = _bare_post(players.browsers[0])
            _round(players, bare_post, dressed_post)  # warms up
            measured = [_round(players, bare_post, dressed_post) for _ in range(rounds)]
            cases.append(_cases(players, measured))
            lines.append(_line(players, measured))
    body = f"{table(HEAD, lines)}\n\n{NOTES}"
    return Part(_rows(cases), [Section(f"The match page on {connection.vendor}", body)])


# --- measuring -------------------------------------------------------------------------------


def _bare_post(browser: Browser) -> Callable[[], None]:
    filling = {"moves": 0, "rows": [[row, "a card", None] for row in range(415)]}
    board = Board.objects.create(state=orjson.dumps(filling).decode())
    form = {"board": str(board.pk), "move": "build R4a 0 top"}
    return lambda: _must(200, browser.post("/bare/", form))


def _round(
    players: Players, bare_post: Callable[[], None], dressed_post: Callable[[], None]
) -> Round:
    bare_posts, dressed, engine, posts, pages, polls, boards = [], [], [], [], [], [], []
    for _ in range(MOVES):
        turn = players.next_turn()
        bare_posts.append(cost(bare_post))
        dressed.append(cost(dressed_post))
        engine.append(cost(partial(engine_alone, turn)))
        posts.append(cost(lambda: _must(200, players.post(turn))))  # noqa: B023 - called at once
    for _ in range(GETS):
        turn = players.next_turn()
        pages.append(cost(lambda: _must(200, players.page(turn))))  # noqa: B023
        polls.append(cost(lambda: _must(204, players.poll(turn))))  # noqa: B023
        boards.append(cost(partial(_board, players, turn)))
    return Round(*map(_mean, (bare_posts, dressed, posts, engine, pages, polls, boards)))


def _must(status: int, answer: Answer) -> None:
    if answer.status != status:
        raise RuntimeError(f"{answer.status} instead of {status}: {answer.body[:300]!r}")


def _board(players: Players, turn: Turn) -> str:
    """Draw the board and print it, as the page does."""
    state, seat = turn.session.state, turn.seat
    names = tuple(person.username for person in players.people)
    scene = Scene(state.view(seat), state.legal(seat), (), (), names)
    drawing = players.game.board(scene)
    return render_to_string(f"games/{players.game.slug}/board.html", {"drawing": drawing})


def _queries(work: Callable[[], object]) -> str:
    with CaptureQueriesContext(connection) as captured:
        work()
    return str(len(captured))


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


# --- reporting -------------------------------------------------------------------------------


def _cases(players: Players, measured: list[Round]) -> tuple[Case, Case, Case]:
    """Hold the POST, the board and the poll against their targets."""
    game, seats = players.game.slug, len(players.people)
    post = figure((one.post - one.engine) / one.bare for one in measured)
    board = _milli(one.board for one in measured)
    share = figure(100 * one.board / one.page for one in measured)
    poll = figure(one.poll / one.page for one in measured)
    asked = _queries(partial(players.poll, players.next_turn()))
    drawn_well = board.middle <= 5 and share.middle <= 50
    polled_well = poll.middle <= 0.3 and asked == "1"
    board_text = f"{board} ms, {share.short()} %"
    poll_text = f"{poll}x, queries: {asked}"
    return (
        Case(game, seats, post.middle, f"{post}x", at_most(3, post)),
        Case(game, seats, board.middle, board_text, "yes" if drawn_well else "no"),
        Case(game, seats, poll.middle, poll_text, "yes" if polled_well else "no"),
    )


def _rows(cases: list[tuple[Case, Case, Case]]) -> list[Row]:
    posts, boards, polls = zip(*cases, strict=True) if cases else ((), (), ())
    where = f"{{game}}, {connection.vendor}"
    return [
        *worst(f"POST of a move less the engine, {where}", "<= 3x bare", posts),
        *worst(f"board fragment, {where}", "<= 5 ms, <= 50 % of the page", boards),
        *worst(f"unchanged poll, {where}", "<= 0.3x of the page, 1 query", polls),
    ]


def _line(players: Players, measured: list[Round]) -> list[str]:
    turn = players.next_turn()
    asked = [_queries(partial(ask, turn)) for ask in (players.page, players.poll, players.post)]
    size = len(_board(players, turn).encode()) / 1024
    by_name = {name: _milli(getattr(one, name) for one in measured) for name in Round._fields}
    return [
        players.title,
        str(by_name["bare"]),
        str(by_name["dressed"]),
        str(by_name["post"]),
        by_name["engine"].short(),
        asked[2],
        str(by_name["page"]),
        asked[0],
        str(by_name["board"]),
        number(size),
        str(by_name["poll"]),
        asked[1],
    ]


def _milli(seconds: Iterable[float]) -> Figure:
    return Figure(*(value * 1e3 for value in figure(seconds)))


if __name__ == "__main__":
    print(part(int(sys.argv[1])).dump())
