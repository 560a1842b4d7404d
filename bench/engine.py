"""The engine's own figures, for every game on the shelf: playouts, views, snapshots, thinking.

Needs no database. A game is measured at every number of seats with its default options.
"""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import NamedTuple

import orjson

from bench.measure import Figure, cost, figure, number, ratio, spend
from bench.peers import Peer
from bench.report import Case, Part, Section, at_least, at_most, table, worst
from bench.tricks import SEATS, Tricks
from games.catalogue import shelf
from games.engine.contract import Move, Options, State
from games.engine.search import Mind, playout, think
from games.engine.session import Session
from games.engine.table import Silent, Table

CATANATRON, BOARDGAME_IO = "catanatron", "boardgame.io"
TRICKS, TRICKS_SESSION = "Tricks, playout", "Tricks, through Session"
WARM_UP = 2.0  # CPU seconds: a just-in-time compiler needs them


class Box(NamedTuple):
    """One way to play one game."""

    slug: str
    rules: type[State]
    seats: int
    options: Options
    mind: Mind
    levels: dict[str, float]

    @property
    def title(self) -> str:
        return f"{self.slug}, {self.seats} seats"

    def set_up(self, table: Table) -> State:
        return self.rules.setup(self.seats, self.options, table)


def boxes() -> list[Box]:
    return [
        Box(
            slug=game.slug,
            rules=game.state,
            seats=seats,
            options=game.chosen({}, seats),
            mind=game.mind,
            levels=dict(game.levels),
        )
        for game in shelf().values()
        for seats in game.seats
    ]


def part(peers: list[Peer], *, quick: bool) -> Part:
    rounds = 3 if quick else 9
    whole = Part()
    whole.add(_playouts(peers, rounds, 0.2 if quick else 0.4))
    whole.add(_views(rounds))
    whole.add(_snapshots())
    whole.add(_thinking(decisions=1 if quick else 4))
    return whole


# --- playouts -------------------------------------------------------------------------------------


def _playouts(peers: list[Peer], rounds: int, seconds: float) -> Part:
    """Random games, moves per CPU-second, all contestants in turn in every round."""
    players: dict[str, Callable[[float], float]] = {
        peer.title: partial(_peer_rate, peer) for peer in peers
    }
    players[TRICKS] = _own(Box("tricks", Tricks, SEATS, {}, Mind(), {}))
    players[TRICKS_SESSION] = lambda budget: spend(budget, _tricks_through_session).rate
    for box in boxes():
        players[box.title] = _own(box)
    rates: dict[str, list[float]] = {title: [] for title in players}
    for title, play in players.items():
        play(WARM_UP if title in [peer.title for peer in peers] else seconds)
    for _ in range(rounds):
        for title, play in players.items():
            rates[title].append(play(seconds))
    return _playout_part(rates)


def _peer_rate(peer: Peer, seconds: float) -> float:
    return peer.play(seconds).rate


def _own(box: Box) -> Callable[[float], float]:
    table = Silent(Random(box.title))

    def play() -> int:
        return playout(box.set_up(table), table)

    return lambda seconds: spend(seconds, play).rate


_chance = Random("tricks")


def _tricks_through_session() -> int:
    """What boardgame.io's client does as well: check the move, log it, keep the position."""
    session, _ = Session.start(Tricks, str(_chance.random()), SEATS, {})
    moves = 0
    while called := session.state.to_act():
        options = session.state.legal(called[0])
        session.play(called[0], options[int(_chance.random() * len(options))])
        moves += 1
    return moves


def _playout_part(rates: dict[str, list[float]]) -> Part:
    made = Part()
    for peer, wanted in ((CATANATRON, 2), (BOARDGAME_IO, 7)):
        if peer in rates:
            cases = [_playout_case(box, rates[box.title], rates[peer], wanted) for box in boxes()]
            what = f"random playout of {{game}}, against {peer}"
            made.rows += worst(what, f">= {wanted}x", cases)
    head = ["game", "moves per CPU-second", f"x {CATANATRON}", f"x {BOARDGAME_IO}"]
    lines = [
        [title, str(figure(rate)), *(_times(rate, rates.get(peer)) for peer in PEERS)]
        for title, rate in rates.items()
    ]
    made.sections.append(Section("Random playouts", f"{table(head, lines)}\n\n{PLAYOUT_NOTES}"))
    return made


def _playout_case(box: Box, rate: list[float], other: list[float], wanted: float) -> Case:
    got = ratio(rate, other)
    return Case(box.slug, box.seats, -got.middle, f"{got}x", at_least(wanted, got))


PEERS = (CATANATRON, BOARDGAME_IO)
PLAYOUT_NOTES = """\
A move is one decision of a player, forced ones included. catanatron plays its own game between
four of its random players; OpenSpiel its C++ gin rummy, driven from Python. Tricks is one small
hidden-hand game of 54 moves written for both our engine and boardgame.io (`bench/tricks.py`,
`bench/peers/boardgameio_games.js`): boardgame.io plays it through its local client without
subscribers, we play it bare and through `Session`, which checks, logs and seals every move."""


def _times(rate: list[float], other: list[float] | None) -> str:
    return str(ratio(rate, other)) if other else ""


# --- recorded games -------------------------------------------------------------------------------


class Record(NamedTuple):
    """One whole random game, to be played again and again."""

    seed: int
    moves: list[tuple[int, Move]]


def records(box: Box, games: int) -> list[Record]:
    return [_record(box, seed) for seed in range(games)]


def _record(box: Box, seed: int) -> Record:
    table, choices = Silent(Random(seed)), Random(f"choices {seed}")
    state, moves = box.set_up(table), []
    while called := state.to_act():
        moves.append((called[0], choices.choice(state.legal(called[0]))))
        state.apply(*moves[-1], table)
    return Record(seed, moves)


def positions(box: Box, games: int) -> Iterator[State]:
    """Give every position of some random games; the caller must not change them."""
    for record in records(box, games):
        table = Silent(Random(record.seed))
        state = box.set_up(table)
        yield state
        for seat, move in record.moves:
            state.apply(seat, move, table)
            yield state


# --- views ----------------------------------------------------------------------------------------


def _views(rounds: int) -> Part:
    """All seats' views of a position against making a move and listing the next ones."""
    cases, lines = [], []
    for box in boxes():
        games = records(box, 5)
        count = sum(len(game.moves) for game in games)
        moving, viewing = [], []
        for _ in range(rounds):
            plain = cost(partial(_again, box, games, range(0)))
            moving.append(plain / count)
            viewing.append((cost(partial(_again, box, games, range(box.seats))) - plain) / count)
        got = ratio(viewing, moving)
        cases.append(Case(box.slug, box.seats, got.middle, f"{got}x", at_most(1, got)))
        lines.append([box.title, _micro(moving), _micro(viewing), str(got)])
    head = ["game", "apply + legal, µs", "view for all seats, µs", "ratio"]
    rows = worst("view for all seats, {game}", "<= 1x of apply + legal", cases)
    return Part(rows, [Section("Views", table(head, lines))])


def _again(box: Box, games: list[Record], viewers: range) -> None:
    for game in games:
        table = Silent(Random(game.seed))
        state = box.set_up(table)
        for seat, move in game.moves:
            state.legal(seat)
            state.apply(seat, move, table)
            for viewer in viewers:
                state.view(viewer)


def _micro(seconds: list[float]) -> str:
    return str(Figure(*(value * 1e6 for value in figure(seconds))))


# --- snapshots ------------------------------------------------------------------------------------


def _snapshots() -> Part:
    cases, lines = [], []
    for box in boxes():
        sizes = figure(len(orjson.dumps(state.dump())) for state in positions(box, 3))
        met = "yes" if sizes.high <= 4096 else "no"
        cases.append(Case(box.slug, box.seats, sizes.high, f"{sizes.high:,.0f} bytes", met))
        lines.append([box.title, *(f"{size:,.0f}" for size in sizes)])
    head = ["game", "median, bytes", "smallest", "largest"]
    rows = worst("largest snapshot, {game}", "<= 4,096 bytes", cases)
    return Part(rows, [Section("Snapshots", table(head, lines))])


# --- thinking --------------------------------------------------------------------------------


def _thinking(decisions: int) -> Part:
    """The hard bot at positions of random games: how fast it searches and how long it takes."""
    cases, lines = [], []
    for box in boxes():
        if not (seconds := box.levels.get("hard", 0.0)):
            continue
        asked = _decisions(box, decisions)
        took = figure(cost(partial(_decide, box, state, seconds, 1_000_000)) for state in asked)
        searched = figure(50 / cost(partial(_decide, box, state, 60.0, 50)) for state in asked)
        met = "yes" if took.high <= 3 else "no"
        cases.append(Case(box.slug, box.seats, took.high, f"{number(took.high)} s", met))
        lines.append([box.title, str(seconds), str(took), str(searched)])
    head = ["game", "budget, s", "CPU seconds a decision", "iterations per CPU-second"]
    note = f"Positions of random games in which there is a choice; measured: {decisions} each."
    rows = worst("hard bot, slowest decision, {game}", "<= 3 s", cases)
    return Part(rows, [Section("The hard bot", f"{table(head, lines)}\n\n{note}")])


def _decisions(box: Box, wanted: int) -> list[State]:
    choosing = [
        state.clone()
        for state in positions(box, 1)
        if (called := state.to_act())
        and len(box.mind.candidates(state, called[0], state.legal(called[0]))) > 1
    ]
    return Random(box.title).sample(choosing, min(wanted, len(choosing)))


def _decide(box: Box, state: State, seconds: float, iterations: int) -> None:
    silent, seat = Silent(Random(1)), state.to_act()[0]
    think(state, seat, silent, box.mind, seconds=seconds, iterations=iterations)
