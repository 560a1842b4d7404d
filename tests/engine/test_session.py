"""Sessions: what seals and what stays a draft, taking back, tokens, repeating a match exactly."""

from dataclasses import dataclass
from typing import Any, Self

import pytest

from games.engine.contract import Move, Options, Refused, State, View, read
from games.engine.session import Session, ranks, replay
from games.engine.table import Line, Table
from tests.toy import Scarabs

LOT: Options = {"tie": "lot", "rounds": 3}


@dataclass(slots=True)
class Causes(State):
    """Each move is one cause of sealing, or none; several seats may act on one heap."""

    called: list[int]
    heap: list[int]

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        return cls(called=list(range(seats)), heap=[])

    def to_act(self) -> list[int]:
        return self.called  # the list itself: a session must not be fooled when it changes

    def legal(self, seat: int) -> list[Move]:
        verbs = ["mark", "roll", "look", "call", "leave", "quit", "peep"]
        return [(verb,) for verb in verbs + ["use"] * bool(self.heap)]

    def apply(self, seat: int, move: Move, table: Table) -> None:
        table.tell(str(move[0]), seat=seat)
        match move[0]:
            case "mark":
                self.heap.append(seat)
            case "use":
                self.heap.pop()
            case "roll":
                self.heap.append(table.below(1000))
            case "look":
                table.reveal()
            case "peep" if not self.heap:
                table.reveal()
            case "call":
                self.called.append(9)
            case "leave":
                self.called.remove(seat)
            case "quit":
                self.called.clear()

    def view(self, seat: int | None) -> View:
        return {"heap": self.heap[:]}

    def determinize(self, seat: int, table: Table) -> Self:
        return self.clone()

    def scores(self) -> list[tuple[int, ...]]:
        return [(0,)]


def causes(seats: int = 1) -> Session:
    return Session.start(Causes, "seed", seats, {})[0]


def scarabs(seats: int = 3, seed: str = "seed") -> Session:
    return Session.start(Scarabs, seed, seats, LOT)[0]


def play(session: Session, *moves: str) -> list[Line]:
    """Play moves like "0: bid c1a"; return the lines of the last one."""
    lines: list[Line] = []
    for text in moves:
        seat, move = text.split(": ")
        lines = session.play(int(seat), read(move))
    return lines


def refusal(session: Session, *moves: str) -> str:
    with pytest.raises(Refused) as caught:
        play(session, *moves)
    return caught.value.key


def bid(session: Session, *seats: int) -> None:
    """Let each seat bid its first card."""
    for seat in seats:
        session.play(seat, session.state.legal(seat)[0])


def everything(session: Session) -> tuple[Any, ...]:
    return session.state.dump(), session.snapshot, session.epoch, session.drafts[:]


# --- starting --------------------------------------------------------------------------------


def test_a_new_match_stands_at_epoch_one_with_the_lines_of_its_setup() -> None:
    session, lines = Session.start(Scarabs, "seed", 3, LOT)
    assert (session.epoch, session.drafts) == (1, [])
    assert session.snapshot == session.state.dump()
    assert session.state.dump() == Scarabs.setup(3, LOT, Table("seed", 0)).dump()
    assert lines == [Line("dealt", {"seats": 3})]


# --- the seal rule ---------------------------------------------------------------------------


@pytest.mark.parametrize("cause", ["roll", "look", "call", "quit"])
def test_chance_revelation_a_newly_called_seat_and_the_end_seal(cause: str) -> None:
    session = causes(2)
    play(session, "0: mark", f"0: {cause}")
    assert (session.epoch, session.drafts) == (2, [])
    assert session.snapshot == session.state.dump()


@pytest.mark.parametrize("verb", ["mark", "leave"])
def test_all_else_is_a_draft(verb: str) -> None:
    session = causes(2)
    before = session.state.dump()
    play(session, f"0: {verb}")
    assert (session.epoch, session.snapshot) == (1, before)
    assert session.drafts == [(0, (verb,))]


def test_secret_choices_are_drafts_until_the_last_one_comes_in() -> None:
    session = scarabs()
    bid(session, 2, 0)
    assert (session.epoch, [seat for seat, _ in session.drafts]) == (1, [2, 0])
    bid(session, 1)
    assert (session.epoch, session.drafts) == (2, [])


def test_a_move_returns_its_lines() -> None:
    session = causes()
    assert play(session, "0: mark") == [Line("mark", {"seat": 0})]


def test_the_snapshot_does_not_follow_later_drafts() -> None:
    session = causes()
    play(session, "0: look", "0: mark")
    assert (session.snapshot["heap"], session.state.dump()["heap"]) == ([], [0])


# --- refusals --------------------------------------------------------------------------------


def test_a_refused_move_changes_nothing() -> None:
    session = scarabs()
    bid(session, 0)
    before = everything(session)
    assert refusal(session, "1: bid c9z") == "not_in_hand"
    assert refusal(session, "0: bid c1a") == "not_your_turn"
    assert refusal(session, "1: dance") == "illegal"
    assert everything(session) == before


def test_a_seat_that_is_not_called_is_refused_whatever_the_rules_list_for_it() -> None:
    session = causes(2)
    play(session, "1: leave")
    assert session.state.legal(1)
    assert refusal(session, "1: mark") == "not_your_turn"


def test_nobody_moves_after_the_end() -> None:
    session = scarabs()
    while called := session.state.to_act():
        session.play(called[0], session.state.idle(called[0]))
    assert refusal(session, "0: end") == "game_over"


# --- taking back -----------------------------------------------------------------------------


def test_drafts_are_taken_back_one_by_one() -> None:
    session = causes()
    stages = [everything(session)]
    for _ in range(3):
        play(session, "0: mark")
        stages.append(everything(session))
    for stage in reversed(stages[:-1]):
        session.undo(0)
        assert everything(session) == stage
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.undo(0)


def test_a_restart_takes_back_all_drafts_of_the_seat() -> None:
    session = causes(2)
    play(session, "0: look")
    start = everything(session)
    play(session, "0: mark", "0: mark", "0: use")
    session.restart(0)
    assert everything(session) == start
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.restart(0)


def test_what_is_sealed_cannot_be_taken_back() -> None:
    session = causes()
    play(session, "0: mark", "0: roll")
    before = everything(session)
    with pytest.raises(Refused, match="nothing_to_undo"):
        session.undo(0)
    assert everything(session) == before


def test_only_own_drafts_are_taken_back_and_those_of_others_stay() -> None:
    session = causes(3)
    play(session, "0: mark", "1: mark", "0: mark", "2: mark")
    session.undo(0)
    assert session.drafts == [(0, ("mark",)), (1, ("mark",)), (2, ("mark",))]
    assert session.state.dump()["heap"] == [0, 1, 2]
    session.restart(0)
    assert session.drafts == [(1, ("mark",)), (2, ("mark",))]
    assert session.state.dump()["heap"] == [1, 2]


def test_a_secret_choice_can_be_recalled_until_the_last_one_comes_in() -> None:
    session = scarabs()
    first = session.state.dump()
    bid(session, 0, 2)
    session.undo(0)
    assert session.state.to_act() == [0, 1]
    other = session.state.legal(0)[1]
    session.play(0, other)
    session.restart(2)
    assert (session.drafts, session.state.to_act()) == ([(0, other)], [1, 2])
    session.undo(0)
    assert session.state.dump() == first
    bid(session, 0, 1, 2)
    for seat in range(3):
        with pytest.raises(Refused, match="nothing_to_undo"):
            session.undo(seat)


def test_secret_choices_commute() -> None:
    results = []
    for order in [(0, 1, 2), (2, 1, 0), (1, 2, 0)]:
        session = scarabs()
        bid(session, *order)
        results.append(everything(session))
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("built_on", ["1: use", "1: peep"])
def test_a_draft_that_others_built_on_stays(built_on: str) -> None:
    """Seat 1 used the mark, or peeped under its cover and would see more without it."""
    session = causes(2)
    play(session, "0: mark", built_on)
    before = everything(session)
    for take_back in (session.undo, session.restart):
        with pytest.raises(Refused, match="undo_blocked"):
            take_back(0)
        assert everything(session) == before
    session.undo(1)
    session.undo(0)
    assert session.drafts == []


# --- chance ----------------------------------------------------------------------------------


def test_taking_back_cannot_change_a_draw() -> None:
    straight, wavering = causes(), causes()
    play(straight, "0: roll")
    play(wavering, "0: mark", "0: mark")
    wavering.restart(0)
    play(wavering, "0: roll")
    assert wavering.state.dump() == straight.state.dump()


def test_every_epoch_draws_anew() -> None:
    session = causes()
    play(session, *["0: roll"] * 5)
    assert len(set(session.state.dump()["heap"])) == 5


# --- tokens ----------------------------------------------------------------------------------


def test_a_token_changes_with_own_drafts_only() -> None:
    session = scarabs()
    mine, other = session.token(0), session.token(1)
    bid(session, 0)
    assert session.token(0) != mine
    assert session.token(1) == other
    bid(session, 1)
    session.undo(0)
    assert session.token(0) == mine


def test_a_token_changes_with_the_epoch() -> None:
    session = scarabs()
    before = [session.token(seat) for seat in range(3)]
    bid(session, 0, 1, 2)
    assert all(session.token(seat) != before[seat] for seat in range(3))


def test_taking_back_and_choosing_otherwise_gives_another_token() -> None:
    session = scarabs()
    first, second, *_ = session.state.legal(0)
    session.play(0, first)
    stale = session.token(0)
    session.undo(0)
    session.play(0, second)
    assert session.token(0) != stale


# --- storing, resuming, replaying ------------------------------------------------------------


def test_a_stored_match_is_taken_up_where_it_was() -> None:
    session = causes(2)
    play(session, "0: roll", "0: mark", "1: mark")
    again = Session.resume(Causes, "seed", session.snapshot, session.epoch, session.drafts)
    assert everything(again) == everything(session)
    assert play(again, "0: roll") == play(session, "0: roll")
    assert everything(again) == everything(session)


def test_drafts_from_the_first_that_no_longer_holds_are_dropped() -> None:
    stored: list[tuple[int, Move]] = [(0, ("mark",)), (0, ("dance",)), (0, ("mark",))]
    session = Session.resume(Causes, "seed", causes().snapshot, 1, stored)
    assert (session.drafts, session.epoch) == (stored[:1], 1)
    assert session.state.dump()["heap"] == [0]


def test_a_draft_that_would_seal_today_is_dropped_and_the_epoch_stands() -> None:
    stored: list[tuple[int, Move]] = [(0, ("mark",)), (0, ("roll",)), (0, ("mark",))]
    start = causes().snapshot
    session = Session.resume(Causes, "seed", start, 1, stored)
    assert (session.drafts, session.epoch, session.snapshot) == (stored[:1], 1, start)
    assert session.state.dump()["heap"] == [0]


def test_a_recorded_match_replays_to_the_same_position() -> None:
    session = scarabs(seed="replay")
    moves: list[tuple[int, Move]] = []
    while called := session.state.to_act():
        seat = called[-1]
        move = session.state.legal(seat)[len(moves) % len(session.state.legal(seat))]
        moves.append((seat, move))
        session.play(seat, move)
    assert everything(replay(Scarabs, "replay", 3, LOT, moves)) == everything(session)
    assert replay(Scarabs, "replay", 3, LOT, moves[:4]).epoch < session.epoch


# --- ranks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([(3,), (5,), (4,)], [3, 1, 2]),
        ([(5, 1), (5, 2), (5, 1)], [2, 1, 2]),
        ([(2,), (2,)], [1, 1]),
        ([(9,), (7,), (7,), (1,)], [1, 2, 2, 4]),
        ([], []),
    ],
)
def test_equal_scores_share_a_rank(scores: list[tuple[int, ...]], expected: list[int]) -> None:
    assert ranks(scores) == expected
