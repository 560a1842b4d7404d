"""A drawn board under a finger that tries everything: shared by the tests of the games' boards."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from django.template.loader import render_to_string

from games.catalogue import Game, Scene
from games.clicks import Click
from games.engine.contract import Move, State, read
from games.engine.table import Line
from games.pieces import Piece
from tests.walks import NAMES


def pieces(part: Any) -> Iterator[Any]:
    """Everything in a drawing that one can point at."""
    if isinstance(part, Piece):
        yield part
    if isinstance(part, tuple):
        for item in part:
            yield from pieces(item)
    elif is_dataclass(part):
        for field in fields(part):
            yield from pieces(getattr(part, field.name))


@dataclass(frozen=True)
class Boards:
    """The boards of one game."""

    game: Game

    def drawn(
        self, state: State, seat: int | None, hold: Move = (), recap: tuple[Line, ...] = ()
    ) -> Any:
        moves = state.legal(seat) if seat is not None and seat in state.to_act() else []
        return self.game.board(Scene(state.view(seat), moves, hold, recap, NAMES))

    def page(self, drawing: Any) -> str:
        return render_to_string(f"games/{self.game.slug}/board.html", {"drawing": drawing})

    def clicks(self, state: State, seat: int, hold: Move = ()) -> list[Click]:
        return [piece.click for piece in pieces(self.drawn(state, seat, hold)) if piece.click]

    def within_reach(self, state: State, seat: int) -> set[Move]:
        """Tap on everything, with everything that can be held: which moves are made?"""
        made: set[Move] = set()
        seen: set[Move] = {()}
        waiting: list[Move] = [()]
        while waiting:
            for click in self.clicks(state, seat, waiting.pop()):
                if click.kind == "post":
                    made.add(read(click.text))
                elif click.kind in ("hold", "anew") and read(click.text) not in seen:
                    seen.add(read(click.text))
                    waiting.append(read(click.text))
        return made
