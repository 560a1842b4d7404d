"""Thinking: legal, repeatable, blind to what the seat cannot know, and good at small puzzles."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Self

import pytest

from games.engine import search
from games.engine.contract import OPEN, Move, Options, State, View
from games.engine.search import Mind, Node, choose, playout, rewards, think, uniform
from games.engine.table import Silent, Table
from tests.toy import Scarabs

LONG = 60.0  # seconds: so many that only the iterations end a thought


def scarabs(seats: int = 3, seed: int = 1, tie: str = "lot") -> Scarabs:
    return Scarabs.setup(seats, {"tie": tie, "rounds": 3}, Silent(Random(seed)))


def silent(seed: int = 1) -> Silent:
    return Silent(Random(seed))


def positions(seats: int, seed: int) -> Iterator[Scarabs]:
    """Walk through a random game."""
    state, table = scarabs(seats, seed), silent(seed)
    while called := state.to_act():
        yield state
        state.apply(called[0], uniform(state, called[0], state.legal(called[0]), table), table)


def first(state: State, seat: int, moves: list[Move], table: Table) -> Move:
    return moves[0]


# --- playouts and rewards --------------------------------------------------------------------


def test_a_playout_ends_the_game_and_counts_its_moves() -> None:
    state = scarabs(2)
    made: list[Move] = []

    def counting(state: State, seat: int, moves: list[Move], table: Table) -> Move:
        made.append(moves[0])
        return moves[0]

    assert playout(state, silent(), counting) == len(made) > 6
    assert state.to_act() == []


def test_a_playout_repeats_with_its_seed() -> None:
    ends = []
    for _ in range(2):
        state = scarabs(4)
        playout(state, silent(5))
        ends.append(state.dump())
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("loot", "expected"),
    [
        ([[3], [1]], [1.0, 0.0]),
        ([[2], [2]], [0.5, 0.5]),
        ([[1], [3], [2]], [0.0, 1.0, 0.5]),
        ([[3], [3], [1]], [0.75, 0.75, 0.0]),
        ([[3], [1], [1]], [1.0, 0.25, 0.25]),
        ([[2], [2], [2]], [0.5, 0.5, 0.5]),
        ([[4]], [1.0]),
    ],
)
def test_rewards_fall_from_first_to_last_and_ties_share(
    loot: list[list[int]], expected: list[float]
) -> None:
    state = scarabs(2)
    state.loot, state.hands = loot, [[] for _ in loot]
    assert rewards(state) == expected


# --- legality and repetition -----------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_thought_is_a_legal_move(seats: int) -> None:
    for state in positions(seats, seed=seats):
        for seat in state.to_act():
            thought = think(state, seat, silent(), Mind(), seconds=LONG, iterations=8)
            assert thought in state.legal(seat)


def test_a_thought_repeats_with_its_seed_and_iterations() -> None:
    for state in positions(3, seed=9):
        seat = state.to_act()[0]
        thoughts = {
            think(state, seat, silent(4), Mind(), seconds=LONG, iterations=40) for _ in range(3)
        }
        assert len(thoughts) == 1


def test_thinking_leaves_the_position_as_it_was() -> None:
    state = scarabs()
    before = state.dump()
    think(state, 0, silent(), Mind(), seconds=LONG, iterations=30)
    assert state.dump() == before


def test_a_single_candidate_is_played_at_once() -> None:
    def no_rollout(state: State, seat: int, moves: list[Move], table: Table) -> Move:
        raise AssertionError("thought about a move that is forced")

    mind = Mind(rollout=no_rollout, candidates=lambda state, seat, moves: moves[1:2])
    state = scarabs()
    assert think(state, 0, silent(), mind, seconds=LONG) == state.legal(0)[1]


def test_only_candidates_are_thought_of() -> None:
    mind = Mind(candidates=lambda state, seat, moves: moves[:2])
    state = scarabs()
    two = state.legal(0)[:2]
    for seed in range(10):
        assert think(state, 0, silent(seed), mind, seconds=LONG, iterations=10) in two


# --- budget ----------------------------------------------------------------------------------


def counted(mind: Mind) -> tuple[Mind, list[int]]:
    """Count how often a mind judges a position: once in every iteration."""
    judged: list[int] = []

    def evaluate(state: State) -> list[float]:
        judged.append(1)
        return mind.evaluate(state)

    return Mind(evaluate=evaluate, depth=mind.depth), judged


def test_iterations_are_counted_exactly() -> None:
    mind, judged = counted(Mind())
    think(scarabs(), 0, silent(), mind, seconds=LONG, iterations=17)
    assert len(judged) == 17


def test_a_thought_ends_when_its_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(search, "thread_time", lambda: next(ticks))
    mind, judged = counted(Mind())
    think(scarabs(), 0, silent(), mind, seconds=5)
    assert len(judged) == 5


def test_a_playout_is_cut_off_at_its_depth_and_judged_there() -> None:
    depths: list[int] = []

    def evaluate(state: Scarabs) -> list[float]:
        depths.append(sum(map(bool, state.bids)))
        return [0.5] * 4

    think(scarabs(4), 0, silent(), Mind(evaluate=evaluate, depth=2), seconds=LONG, iterations=3)
    assert depths == [3, 3, 3]  # one move of the tree and two of the playout


def test_a_playout_goes_on_beyond_its_depth_until_the_position_is_settled() -> None:
    depths: list[int] = []

    def evaluate(state: Scarabs) -> list[float]:
        depths.append(sum(map(bool, state.bids)))
        return [0.5] * 4

    def settled(state: Scarabs) -> bool:
        return all(state.bids[:3])

    mind = Mind(evaluate=evaluate, depth=1, settled=settled)
    think(scarabs(4), 0, silent(), mind, seconds=LONG, iterations=3)
    assert depths == [3, 3, 3]


# --- mixed choices ---------------------------------------------------------------------------


def test_where_choices_are_mixed_moves_about_as_good_are_drawn_by_lot() -> None:
    mind = Mind(evaluate=lambda state: [0.5] * 4, depth=1, mixed=lambda state: True)
    table = silent()
    moves = {think(scarabs(4), 0, table, mind, seconds=LONG, iterations=30) for _ in range(8)}
    assert len(moves) > 1


def test_by_lot_nothing_is_drawn_that_was_seldom_looked_at() -> None:
    tried = {("good",): Node(visits=10), ("near",): Node(visits=5), ("bad",): Node(visits=4)}
    drawn = [search._drawn(tried, silent(seed)) for seed in range(60)]
    assert set(drawn) == {("good",), ("near",)}
    assert drawn.count(("good",)) > drawn.count(("near",))


def test_by_lot_nothing_is_drawn_that_did_clearly_worse() -> None:
    best, near, worse = (Node(visits=10, reward=reward) for reward in (6.0, 5.9, 5.0))
    tried = {("best",): best, ("near",): near, ("worse",): worse}
    drawn = {search._drawn(tried, silent(seed)) for seed in range(60)}
    assert drawn == {("best",), ("near",)}


# --- choosing by level -----------------------------------------------------------------------


def test_without_time_the_policy_decides_and_with_time_the_search() -> None:
    state = scarabs()
    mind = Mind(policy=first, candidates=lambda state, seat, moves: moves[-1:])
    assert choose(state, 0, silent(), mind, seconds=0) == state.legal(0)[0]
    assert choose(state, 0, silent(), mind, seconds=0.001) == state.legal(0)[-1]


# --- blindness -------------------------------------------------------------------------------


class Poisoned(Scarabs):
    """The true position: whoever reads it other than through `determinize` is caught."""

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        if name not in ("determinize", "__class__"):
            raise AssertionError(f"read {name} of the true position")
        return super().__getattribute__(name)

    def determinize(self, seat: int, table: Table) -> Scarabs:  # type: ignore[override]
        look = super().__getattribute__
        truth = Scarabs(**{name: look(name) for name in Scarabs.__match_args__})
        return truth.determinize(seat, table)


@pytest.mark.parametrize("seconds", [0.0, LONG])
def test_a_bot_never_looks_at_the_true_position(seconds: float) -> None:
    for state in positions(3, seed=2):
        seat = state.to_act()[-1]
        poisoned = Poisoned(**state.dump())
        with pytest.raises(AssertionError, match="read hands of the true position"):
            _ = poisoned.hands
        mind = Mind(depth=3)
        if seconds:
            assert think(poisoned, seat, silent(), mind, seconds=seconds, iterations=5)
        else:
            assert choose(poisoned, seat, silent(), mind, seconds=0)


def test_a_bot_thinks_the_same_whatever_the_hidden_cards_are() -> None:
    """Two positions that look alike to the seat, and worlds dealt alike: the thoughts are equal."""
    state = scarabs()
    other = state.determinize(0, silent(7))
    assert other.dump() != state.dump()
    assert other.view(0) == state.view(0)

    class Sorted(Scarabs):
        """Worlds are dealt from the sorted cards, so that equal knowledge gives equal worlds."""

        __slots__ = ()

        def determinize(self, seat: int, table: Table) -> Self:
            twin = self.clone()
            unknown = sorted(twin.deck + twin.hands[1] + twin.hands[2])
            table.shuffle(unknown)
            twin.hands[1:] = [[unknown.pop() for _ in hand] for hand in twin.hands[1:]]
            twin.deck = unknown
            return twin

    thoughts = [
        think(Sorted(**true.dump()), 0, silent(3), Mind(), seconds=LONG, iterations=60)
        for true in (state, other)
    ]
    assert thoughts[0] == thoughts[1]


# --- strength in small positions -------------------------------------------------------------


@dataclass(slots=True)
class Nim(State):
    """Take one, two or three; who takes the last one wins."""

    left: int
    mover: int = 0

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        return cls(left=int(options["left"]))

    def to_act(self) -> list[int]:
        return [self.mover] if self.left else []

    def legal(self, seat: int) -> list[Move]:
        return [("take", count) for count in (1, 2, 3) if count <= self.left]

    def apply(self, seat: int, move: Move, table: Table) -> None:
        self.left -= int(move[1])
        self.mover = 1 - seat

    def view(self, seat: int | None) -> View:
        return {"left": self.left}

    def determinize(self, seat: int, table: Table) -> Self:
        return self.clone()

    def scores(self) -> list[tuple[int, ...]]:
        return [(int(seat != self.mover),) for seat in (0, 1)]


@pytest.mark.parametrize(("left", "best"), [(2, 2), (3, 3), (5, 1), (6, 2), (7, 3), (9, 1)])
@pytest.mark.parametrize("mover", [0, 1])
def test_the_search_solves_nim_for_either_seat(left: int, best: int, mover: int) -> None:
    thought = think(Nim(left, mover), mover, silent(), Mind(), seconds=LONG, iterations=600)
    assert thought == ("take", best)


def test_the_search_sees_that_the_greatest_jewel_is_best() -> None:
    state = scarabs(2)
    state.rounds, state.active, state.hands = 1, 1, [[], []]
    state.jewels, state.loot = [1, 2, 3, 0, 0, 0], [[2], []]
    assert think(state, 1, silent(), Mind(), seconds=LONG, iterations=200) == ("take", 2)


@dataclass(slots=True)
class Pennies(State):
    """Both hide a penny under one of three cups; the second seat wins if they match."""

    cups: list[int]

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        return cls(cups=[OPEN, OPEN])

    def to_act(self) -> list[int]:
        return [seat for seat in (0, 1) if self.cups[seat] == OPEN]

    def legal(self, seat: int) -> list[Move]:
        return [("hide", cup) for cup in (0, 1, 2)]

    def apply(self, seat: int, move: Move, table: Table) -> None:
        self.cups[seat] = int(move[1])

    def view(self, seat: int | None) -> View:
        return {}

    def determinize(self, seat: int, table: Table) -> Self:
        twin = self.clone()
        if twin.cups[1 - seat] != OPEN:
            twin.cups[1 - seat] = table.below(3)
        return twin

    def scores(self) -> list[tuple[int, ...]]:
        return [(int(self.cups[0] != self.cups[1]),), (int(self.cups[0] == self.cups[1]),)]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_thinking_seat_goes_first_among_simultaneous_choices(seat: int) -> None:
    """Otherwise the second seat would `know` the first one's cup and believe it always wins."""
    root, mind, table = Node(), Mind(), silent()
    for _ in range(60):
        search._iterate(root, Pennies(cups=[OPEN, OPEN]), seat, table, mind)
    assert list(root.children) == [seat]
    assert all(list(node.children) in ([], [1 - seat]) for node in root.children[seat].values())


# --- the tree --------------------------------------------------------------------------------


@dataclass(slots=True)
class Coin(State):
    """After the first move a coin decides who moves next, and which moves there are."""

    mover: int = 0
    moves: list[str] | None = None
    said: str = ""

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        return cls()

    def to_act(self) -> list[int]:
        return [] if self.said else [self.mover]

    def legal(self, seat: int) -> list[Move]:
        return [(name,) for name in self.moves or ["toss", "throw"]]

    def apply(self, seat: int, move: Move, table: Table) -> None:
        if self.moves:
            self.said = f"{move[0]}{seat}"
        else:
            self.mover = table.below(2)
            self.moves = ["win", "lose"] if table.below(4) else ["win"]

    def view(self, seat: int | None) -> View:
        return {}

    def determinize(self, seat: int, table: Table) -> Self:
        return self.clone()

    def scores(self) -> list[tuple[int, ...]]:
        win = self.said in ("win0", "lose1")
        return [(int(win),), (int(not win),)]


def grown(iterations: int) -> Node:
    root, table = Node(), silent(3)
    for _ in range(iterations):
        search._iterate(root, Coin(), 0, table, Mind())
    return root


def test_the_same_move_by_different_seats_is_not_the_same_node() -> None:
    root = grown(400)
    for node in root.children[0].values():
        assert sorted(node.children) == [0, 1]
        for mover, replies in node.children.items():
            win, lose = replies[("win",)], replies[("lose",)]
            assert (win.reward / win.visits, lose.reward) == (1.0, 0.0), mover
            assert win.visits > lose.visits


def test_availability_counts_the_worlds_in_which_a_move_could_be_chosen() -> None:
    root = grown(400)
    tosses = root.children[0]
    assert [node.available for node in tosses.values()] == [400, 399]
    assert sum(node.visits for node in tosses.values()) == 400
    for node in tosses.values():
        below = [reply for replies in node.children.values() for reply in replies.values()]
        assert sum(reply.visits for reply in below) == node.visits - 1  # the first was a playout
        for replies in node.children.values():
            win, lose = replies[("win",)], replies[("lose",)]
            assert win.visits <= win.available
            assert lose.available < win.available  # `lose` is missing in a quarter of the worlds


def test_a_widening_search_looks_first_at_what_the_rollout_prefers() -> None:
    """Of 24 moves about 2 * sqrt(visits) are tried: those of greatest worth to the rollout."""
    state = scarabs(2)
    state.active, state.hands = 0, [["c1a", "c2a", "c3a"], []]
    state.jewels, state.deck = [1, 2, 3, 4, 5, 6], []

    def greedy(state: Scarabs, seat: int, moves: list[Move], table: Table) -> Move:
        return max(moves, key=lambda move: state.jewels[int(move[-1])] if len(move) > 1 else 0)

    root = Node()
    for _ in range(9):
        world = state.clone()
        search._iterate(root, world, 0, silent(), Mind(rollout=greedy, widen=2.0))
    assert len(state.legal(0)) == 24
    assert root.visits == 9
    assert [move[-1] for move in root.children[0]] == [5, 5, 5, 5, 4, 4]


def test_the_root_keeps_what_the_position_is_worth_to_the_thinking_seat() -> None:
    root = grown(100)
    assert root.visits == 100
    assert root.reward == sum(node.reward for node in root.children[0].values())


def test_an_equally_visited_move_with_more_reward_is_preferred() -> None:
    mind = Mind(depth=0, evaluate=lambda nim: [1.0 - nim.left / 9, 0.0])
    assert think(Nim(9), 0, silent(), mind, seconds=LONG, iterations=3) == ("take", 3)
