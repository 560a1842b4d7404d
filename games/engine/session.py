"""One match as pure data: the snapshot at the last seal and the draft moves since.

The seal rule: a move seals when it used chance, revealed something, called a seat that was not
to act before, or ended the match. Until then it is a draft that its seat may take back.
"""

from collections.abc import Iterable
from typing import Any, Self
from zlib import crc32

from games.engine.contract import Move, Options, Refused, State, write
from games.engine.table import Line, Table


class Session:
    """A running match; `play`, `undo` and `restart` are the only ways to change it."""

    def __init__(self, rules: type[State], seed: str, snapshot: dict[str, Any], epoch: int) -> None:
        self.rules = rules
        self.seed = seed
        self.snapshot = snapshot
        self.epoch = epoch
        self.drafts: list[tuple[int, Move]] = []
        self.state = rules.load(snapshot)

    @classmethod
    def start(
        cls, rules: type[State], seed: str, seats: int, options: Options
    ) -> tuple[Self, list[Line]]:
        """Lay out a new match; return it with the first lines of its log."""
        table = Table(seed, 0)
        snapshot = rules.setup(seats, options, table).dump()
        return cls(rules, seed, snapshot, 1), table.lines

    @classmethod
    def resume(
        cls,
        rules: type[State],
        seed: str,
        snapshot: dict[str, Any],
        epoch: int,
        drafts: Iterable[tuple[int, Move]],
    ) -> Self:
        """Take a stored match up again, up to the first draft that no longer holds.

        Only changed rules make a draft fail (it is refused, or would seal now): the snapshot and
        the drafts before it stand.
        """
        session = cls(rules, seed, snapshot, epoch)
        for seat, move in drafts:
            held = session.drafts[:]
            try:
                session.play(seat, move)
            except Refused:
                break
            if session.epoch != epoch:
                return cls.resume(rules, seed, snapshot, epoch, held)
        return session

    def play(self, seat: int, move: Move) -> list[Line]:
        """Make a move; return its log lines, or raise Refused and change nothing."""
        called = set(self.state.to_act())
        if seat not in called or move not in self.state.legal(seat):
            raise self.state.why_not(seat, move)
        table = Table(self.seed, self.epoch)
        self.state.apply(seat, move, table)
        now = set(self.state.to_act())
        if table.sealed or not now or now - called:
            self.snapshot = self.state.dump()
            self.drafts = []
            self.epoch += 1
        else:
            self.drafts.append((seat, move))
        return table.lines

    def undo(self, seat: int) -> None:
        """Take the seat's last draft back."""
        own = self._own(seat)
        if not own:
            raise Refused("nothing_to_undo")
        self._rebuild_without(own[-1:])

    def restart(self, seat: int) -> None:
        """Take all drafts of the seat back."""
        own = self._own(seat)
        if not own:
            raise Refused("nothing_to_undo")
        self._rebuild_without(own)

    def token(self, seat: int) -> str:
        """Name what the seat has before it: a stale or doubled post does not match.

        A digest of the drafts, not their number: after *take back and choose otherwise* another
        tab that still shows the first choice is stale too.
        """
        own = ",".join(write(self.drafts[place][1]) for place in self._own(seat))
        return f"{self.epoch}.{crc32(own.encode()):x}"

    def _own(self, seat: int) -> list[int]:
        return [place for place, draft in enumerate(self.drafts) if draft[0] == seat]

    def _rebuild_without(self, places: list[int]) -> None:
        kept = [draft for place, draft in enumerate(self.drafts) if place not in places]
        again = self.resume(self.rules, self.seed, self.snapshot, self.epoch, kept)
        if again.drafts != kept:  # somebody else built on what is to be taken back
            raise Refused("undo_blocked")
        self.state, self.drafts = again.state, again.drafts


def replay(
    rules: type[State],
    seed: str,
    seats: int,
    options: Options,
    moves: Iterable[tuple[int, Move]],
) -> Session:
    """Play a recorded match again from its seed."""
    session, _ = Session.start(rules, seed, seats, options)
    for seat, move in moves:
        session.play(seat, move)
    return session


def ranks(scores: list[tuple[int, ...]]) -> list[int]:
    """Rank seats by score, 1 = best; equal scores share a rank."""
    return [1 + sum(other > score for other in scores) for score in scores]
