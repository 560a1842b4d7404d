"""People who play a match on the site: they make moves at random, by the site's own requests.

All seats are people, so that no bot and no broker is part of a request.
"""

from random import Random
from typing import NamedTuple

import orjson

from accounts.models import User
from bench.browser import Answer, Application, Browser
from games import queries, services
from games.catalogue import Game
from games.engine.contract import Move, write
from games.engine.session import Session
from games.models import Match

HTMX = {"HTTP_HX_REQUEST": "true"}


class Turn(NamedTuple):
    """A move about to be made, and the match as it stands before."""

    match: Match
    session: Session
    seat: int
    move: Move


class Players:
    def __init__(self, application: Application, game: Game, seats: int) -> None:
        self.game = game
        self.chance = Random(f"{game.slug} {seats}")
        names = [f"{game.slug}-{seats}-{seat}" for seat in range(seats)]
        self.people = [User.objects.create_user(name, f"{name}@example.org") for name in names]
        self.browsers = [Browser(application, person) for person in self.people]
        self.half = self._length() // 2
        self.begin()

    @property
    def title(self) -> str:
        return f"{self.game.slug}, {len(self.people)} seats"

    @property
    def address(self) -> str:
        return f"/matches/{self.match_id}/"

    def begin(self) -> None:
        """Start a match and play half of it, past the requests: that is quicker.

        One that is over so soon is followed by another.
        """
        host, *others = self.people
        opponents = [services.Opponent("open") for _ in others]
        match = services.match_create(
            user=host, game=self.game.slug, opponents=opponents, options={}, pace="standard"
        )
        for other in others:
            services.match_join(match_id=match.pk, user=other)
        self.match_id = match.pk
        for _ in range(self.half):
            turn = self._turn()
            if turn is None:
                self.begin()
                return
            services.match_play(
                match_id=match.pk,
                seat=turn.seat,
                token=turn.session.token(turn.seat),
                text=write(turn.move),
            )

    def next_turn(self) -> Turn:
        """Choose the next move; a match that is over is followed by another."""
        while (turn := self._turn()) is None:
            self.begin()
        return turn

    def _turn(self) -> Turn | None:
        match = Match.objects.get(pk=self.match_id)
        session = queries.session_of(match)
        called = session.state.to_act()
        if not called:
            return None
        move = self.chance.choice(session.state.legal(called[0]))
        return Turn(match, session, called[0], move)

    def post(self, turn: Turn) -> Answer:
        form = {"move": write(turn.move), "token": turn.session.token(turn.seat)}
        return self.browsers[turn.seat].post(f"{self.address}move/", form, **HTMX)

    def page(self, turn: Turn) -> Answer:
        return self.browsers[turn.seat].get(self.address)

    def poll(self, turn: Turn) -> Answer:
        address = f"{self.address}?seen={turn.match.revision}"
        return self.browsers[turn.seat].get(address, **HTMX)

    def _length(self) -> int:
        """How many moves a match takes, from one played without the site."""
        seats = len(self.people)
        session, _ = Session.start(self.game.state, "length", seats, self.game.chosen({}, seats))
        moves = 0
        while called := session.state.to_act():
            session.play(called[0], self.chance.choice(session.state.legal(called[0])))
            moves += 1
        return moves


def engine_alone(turn: Turn) -> None:
    """What a request asks of the engine: load, move; load again, list and view."""
    match, rules = turn.match, turn.match.game.state
    snapshot, drafts = orjson.loads(match.snapshot), turn.session.drafts
    session = Session.resume(rules, match.seed, snapshot, match.epoch, drafts)
    session.play(turn.seat, turn.move)
    after = Session.resume(rules, match.seed, session.snapshot, session.epoch, session.drafts)
    after.state.legal(turn.seat)
    after.state.view(turn.seat)
