"""What a click on a part of a board does, given what is legal and what is held.

A hold is written like a move and matches every move in which its atoms occur in that order:
`build R4a` is the beginning of a move, `R4a` a card that was picked up. Shared by all boards;
knows no game, no rule and no page.
"""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine.contract import Atom, Move, matches, write


class Click(NamedTuple):
    """The text a click sends and what comes of it.

    post: a legal move is made. hold: something is picked up or the hold goes on. anew: what is
    held is let go for this. drop: what is held is put back. why: the rules say why not.
    """

    text: str
    kind: str

    @property
    def lit(self) -> bool:
        return self.kind in ("post", "hold")


DROP = Click("", "drop")


class Reach:
    """The legal moves as they look to somebody who holds something."""

    def __init__(self, moves: Iterable[Move], hold: Move) -> None:
        self.hold = hold
        self.verbs: dict[Atom, list[Move]] = {}
        for move in moves:
            self.verbs.setdefault(move[0], []).append(move)
        self.atoms = {atom for verb in self.verbs.values() for move in verb for atom in move}

    def starting(self, *start: Atom) -> list[Move]:
        """List the moves that begin with these atoms."""
        return [move for move in self.verbs.get(start[0], ()) if move[: len(start)] == start]

    def go(self, *start: Atom) -> Click | None:
        """Go on with a move that begins like this: make it if it is the only one."""
        found = self.starting(*start)
        if not found:
            return None
        near = [move for move in found if matches(self.hold, move)]
        if not near:
            return Click(write(found[0] if len(found) == 1 else start), "anew")
        if len(near) == 1:
            return Click(write(near[0]), "post")
        return Click(write(start), "hold")

    def pick(self, *atoms: Atom) -> Click | None:
        """Pick a part up, if any move uses it; a part that is held is put back."""
        if self.hold == atoms:
            return DROP
        if atoms[0] not in self.atoms:
            return None
        return Click(write(atoms), "anew" if self.hold else "hold")


def why(*move: Atom) -> Click:
    """Ask the rules why this cannot be done."""
    return Click(write(move), "why")
