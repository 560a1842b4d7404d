"""A lesson as it stands after some attempts: played again from its openings each time.

Nothing is stored: where a pupil is in a lesson is a Trail, and a trail is part of an address. So
going back is going back, and nobody needs an account. Knows no request and no row.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils import timezone

from games.catalogue import Game, Lesson, Opening, Step
from games.chairs import Player
from games.engine.contract import Move, Refused, matches, read
from games.engine.session import Session
from games.models import Move as Row
from games.queries import Told

PUPIL = 0  # the seat
NAMES = ("Merit", "Hori", "Teti", "Ipi", "Senbi")


class Trail(NamedTuple):
    """A step, counted from 1, and all that was tried in the steps so far."""

    number: int = 1
    tried: tuple[Move, ...] = ()

    @property
    def is_done(self) -> bool:
        return len(self.tried) == self.number

    def __str__(self) -> str:
        steps = ",".join(".".join(map(str, move)) for move in self.tried)
        return f"{self.number}/{steps}" if steps else str(self.number)

    @classmethod
    def read(cls, text: str) -> "Trail":
        number, _, steps = text.partition("/")
        moves = steps.split(",") if steps else []
        return cls(int(number), tuple(read(move.replace(".", " ")) for move in moves))

    def trying(self, move: Move) -> "Trail":
        return Trail(self.number, (*self.tried, move))

    def next(self) -> "Trail":
        return Trail(self.number + 1, self.tried)

    def back(self, attempts: int) -> "Trail":
        """Take attempts back: the last step of them is asked again."""
        kept = self.tried[: len(self.tried) - attempts]
        return Trail(len(kept) + 1, kept)


@dataclass
class Course:
    """A lesson under way: the position, what was said, and what came of the last attempt."""

    game: Game
    session: Session = field(init=False)
    heard: list[Told] = field(default_factory=list)  # of the last attempt, or of the replies to it
    refused: Refused | None = None  # the last attempt was made in vain, as it should be
    drafted: int = 0  # how many of the last attempts could be taken back in a match
    number: int = 0

    @property
    def lesson(self) -> Lesson:
        return self.game.lesson

    @property
    def step(self) -> Step:
        return self.lesson.steps[self.number - 1]

    def players(self, pupil: str = "") -> tuple[Player, ...]:
        """Name those who sit there; a pupil without a name gets one too."""
        names = NAMES[: self._opening.seats]
        return tuple(Player(name=name) for name in (pupil or names[PUPIL], *names[1:]))

    @property
    def wanted(self) -> list[Move]:
        """List what would do the present step; one of them, where it is to be tried in vain."""
        if self.step.refusal:
            return [read(self.step.wanted[0])]
        holds = [read(text) for text in self.step.wanted]
        legal = self.session.state.legal(PUPIL)
        return [move for move in legal if any(matches(hold, move) for hold in holds)]

    @property
    def offered(self) -> list[Move]:
        """List the legal moves that a pupil may begin: what is tried in vain begins like others."""
        return self.session.state.legal(PUPIL) if self.step.refusal else self.wanted

    @property
    def _opening(self) -> Opening:
        return next(
            step.opening for step in reversed(self.lesson.steps[: self.number]) if step.opening
        )

    def begin_step(self) -> None:
        """Go on to the next step: to its own position, or to what the others reply."""
        self.number += 1
        self.heard, self.refused = [], None
        if opening := self.step.opening:
            rules, options = self.game.state, self.game.chosen(opening.options, opening.seats)
            self.session, _lines = Session.start(rules, opening.seed, opening.seats, options)
            for seat, move in _script(opening.moves):
                self.session.play(seat, move)
            self.drafted = 0
        for seat, move in _script(self.step.replies):
            self._play(seat, move)
            self.drafted = 0

    def attempt(self, move: Move) -> None:
        """Do the present step, or raise Refused: by the rules, or since it is not what is asked."""
        state = self.session.state
        self.heard = []
        if move not in state.legal(PUPIL):
            refused = state.why_not(PUPIL, move)
            if refused.key != self.step.refusal:
                raise refused
            self.refused, self.drafted = refused, 0
        elif move not in self.wanted:
            raise Refused("other_move")
        else:
            self._play(PUPIL, move)
            drafts = sum(seat == PUPIL for seat, _move in self.session.drafts)
            self.drafted = min(self.drafted + 1, drafts)

    def _play(self, seat: int, move: Move) -> None:
        lines = [line for line in self.session.play(seat, move) if line.to in (None, PUPIL)]
        now = timezone.now()
        self.heard += [Told(line, seat, self.number, Row.By.PLAYER, now) for line in lines]


def _script(text: str) -> Iterator[tuple[int, Move]]:
    for line in filter(str.strip, text.splitlines()):
        seat, _, moves = line.strip().partition(" ")
        yield from ((int(seat), read(move)) for move in moves.split(", "))


def course_of(game: Game, trail: Trail) -> Course:
    """Follow a trail; whatever does not lead through the lesson is refused."""
    if trail.number > len(game.lesson.steps):
        raise Refused("malformed")
    if len(trail.tried) not in (trail.number - 1, trail.number):
        raise Refused("malformed")
    course = Course(game)
    for move in trail.tried:
        course.begin_step()
        course.attempt(move)
    if not trail.is_done:
        course.begin_step()
    return course
