"""The table a match is played at: the three impure things a rule may ask for.

Chance, speech and revelation, in one visible parameter. The table remembers whether chance or
revelation happened, because that is what makes a move impossible to take back.
"""

from random import Random
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Line(NamedTuple):
    """One sentence of the log, without words: a key, its arguments and who may read it."""

    key: str
    args: dict[str, Any]
    to: int | None = None  # None: everybody


class Table:
    """Chance keyed by (seed, epoch), so that taking a move back cannot change a draw.

    Only Random.random() is used: it is the one sequence Python promises to keep.
    """

    def __init__(self, seed: str, epoch: int) -> None:
        self.key = f"{seed}:{epoch}"
        self.random: Random | None = None  # made on first use: most moves need no chance
        self.lines: list[Line] = []
        self.sealed = False

    def below(self, n: int) -> int:
        """Draw a number from 0 to n-1."""
        if self.random is None:
            self.random = Random(self.key)
        self.sealed = True
        return int(self.random.random() * n)

    def pick(self, items: list[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: list[T]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def tell(self, key: str, **args: Any) -> None:
        """Say something everybody may hear."""
        self.lines.append(Line(key, args))

    def whisper(self, seat: int, key: str, **args: Any) -> None:
        """Say something to one seat only."""
        self.lines.append(Line(key, args, seat))

    def reveal(self) -> None:
        """Note that hidden information became known to somebody."""
        self.sealed = True


class Silent(Table):
    """A table for playouts: chance from a given generator, and nobody listens."""

    def __init__(self, random: Random) -> None:
        super().__init__("", 0)
        self.random: Random = random
        self.draw = random.random

    def below(self, n: int) -> int:
        return int(self.draw() * n)

    def shuffle(self, items: list[T]) -> None:
        draw = self.draw
        for last in range(len(items) - 1, 0, -1):
            other = int(draw() * (last + 1))
            items[last], items[other] = items[other], items[last]

    def tell(self, key: str, **args: Any) -> None:
        pass

    def whisper(self, seat: int, key: str, **args: Any) -> None:
        pass

    def reveal(self) -> None:
        pass
