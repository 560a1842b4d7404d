"""A season of rated matches in which everything happens that may happen to a rating.

What was written match by match, in the transaction that ended it, is what the matches say when all
are computed once more: the last digit included. `RATED_MATCHES=400` makes it a long season.
"""

import os
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random

import pytest
import time_machine
from django.core.management import call_command

from accounts.models import User
from accounts.services import user_seen
from games import services
from games.catalogue import shelf
from games.clock import GRACE
from games.engine.contract import Refused
from games.models import Holder, Match, Move, Rating, Seat, Standing
from games.queries import matches_to_look_at, seats_overdue
from games.services import Opponent, changing
from games.services.ratings import recomputed
from tests.site.people import person

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

MATCHES = int(os.environ.get("RATED_MATCHES", "30"))
AT_ONCE = 20
BEGIN = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)


class Season:
    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.now = BEGIN
        self.people = [person(f"Player{number}") for number in range(10)]
        self.back: dict[int, datetime] = {}  # who is away, until when
        self.root = person("Root", is_staff=True)
        self.opened = 0

    def go_on(self) -> bool:
        """Open a match, or do something in one; False when all have ended."""
        running = list(Match.objects.filter(status=Match.Status.RUNNING).order_by("pk"))
        if len(running) < AT_ONCE and self.opened < MATCHES:
            self.begin()
        elif running:
            self.now += self.chance.randrange(1, 5) * HOUR
            deeds = [self.turns] * 8 + [self.finish] * 4 + [self.lose_time] * 3
            deeds += [self.resign, self.take_over, self.come_back, self.agree, self.alone]
            deeds += [self.go_away, self.replace]
            deeds += [self.farewell] * (self.chance.random() < 0.1)
            with suppress(Refused):
                self.chance.choice(deeds)(self.chance.choice(running))
        return bool(running) or self.opened < MATCHES

    def begin(self) -> None:
        game = self.chance.choice(sorted(shelf().values(), key=lambda game: game.slug))
        host, *others = self.chance.sample(self.people, self.chance.choice(game.seats))
        match = services.match_create(
            user=host,
            game=game.slug,
            opponents=[Opponent("open") for _ in others],
            rated=True,
            vacations=False,
        )
        for other in others:
            services.match_join(match_id=match.pk, user=other)
        self.opened += 1

    def turns(self, match: Match, most: int = 8) -> None:
        """Let who is there make whole turns, and caretakers for who has left."""
        for _ in range(most):
            with changing(match.pk, self.now) as change:
                session = change.running
                seat = change.seats[self.chance.choice(session.state.to_act())]
                if not seat.bot and self.back.get(seat.user_id, self.now) > self.now:
                    return
                by = Move.By.BOT if seat.bot else Move.By.PLAYER
                while seat.index in session.state.to_act() and seat.index not in change.done:
                    change.play(seat.index, session.state.idle(seat.index), by)
            if seat.user and not seat.bot:
                user_seen(seat.user, self.now)

    def finish(self, match: Match) -> None:
        with changing(match.pk, self.now) as change:
            state = change.running.state
            while called := state.to_act():
                by = Move.By.BOT if change.seats[called[0]].bot else Move.By.PLAYER
                change.play(called[0], state.idle(called[0]), by)
                state = change.running.state

    def lose_time(self, match: Match) -> None:
        """Let the time of a match run out, and of all others that end sooner."""
        late = [seat.deadline for seat in match.seats.all() if seat.deadline]
        if late:
            self.now = max(self.now, min(late) + GRACE)
            self.sweep()

    def sweep(self) -> None:
        for pk, seat in list(seats_overdue(self.now).values_list("match", "index")):
            services.match_expire(match_id=pk, seat=seat, now=self.now)
        for pk in list(matches_to_look_at(self.now).values_list("pk", flat=True)):
            services.match_look(match_id=pk, now=self.now)

    def go_away(self, _match: Match) -> None:
        """Let somebody be away from everything for some days, without a word."""
        self.back[self.chance.choice(self.people).pk] = self.now + 300 * HOUR

    def resign(self, match: Match) -> None:
        services.match_resign(match_id=match.pk, user=self.player_in(match))

    def take_over(self, _match: Match) -> None:
        if seat := Seat.objects.filter(offered__isnull=False).first():
            services.seat_take(match_id=seat.match_id, user=self.chance.choice(self.people))

    def come_back(self, match: Match) -> None:
        services.match_return(match_id=match.pk, user=self.player_in(match))

    def agree(self, match: Match) -> None:
        """Go on rated with a caretaker, if all who are left want it."""
        here = [seat.user for seat in match.seats.all() if seat.user and not seat.bot]
        for one in here[:1]:
            services.proposal_make(match_id=match.pk, user=one, kind="rated")
        for other in here[1:]:
            services.proposal_answer(match_id=match.pk, user=other, agree=True)

    def alone(self, match: Match) -> None:
        decide = self.chance.choice([services.match_claim, services.match_play_on])
        decide(match_id=match.pk, user=self.player_in(match))

    def replace(self, match: Match) -> None:
        services.seat_replace(
            match_id=match.pk,
            by=self.root,
            reason="asked",
            seat=self.player_in(match).seats.get(match=match).index,
            user=self.chance.choice([None, self.chance.choice(self.people)]),
        )

    def farewell(self, _match: Match) -> None:
        """Somebody deletes the account; somebody new comes."""
        gone = self.people.pop(self.chance.randrange(len(self.people)))
        services.person_leave(user=User.objects.get(pk=gone.pk))
        self.people.append(person(f"Player{gone.pk}b"))

    def player_in(self, match: Match) -> User:
        users = [seat.user for seat in match.seats.all() if seat.user]
        return self.chance.choice(users)


def rows(ratings: object, standings: object) -> list[tuple[object, ...]]:
    """Every column of every row, but for its number: ratings in the order they were made."""
    of_rating, of_standing = (
        [field.attname for field in model._meta.concrete_fields if field.attname != "id"]
        for model in (Rating, Standing)
    )
    found = [tuple(getattr(one, name) for name in of_rating) for one in ratings]
    return found + sorted(tuple(getattr(one, name) for name in of_standing) for one in standings)


def test_after_a_season_all_ratings_are_computed_again_to_the_last_digit():
    seed = os.environ.get("SEASON_SEED", "nile")
    print(f"SEASON_SEED={seed}")  # noqa: T201 - shown if it fails
    season = Season(Random(seed))
    with time_machine.travel(BEGIN, tick=False) as clock:
        while season.go_on():
            clock.move_to(season.now)
    kept = rows(Rating.objects.all(), Standing.objects.all())
    ratings, standings = recomputed()
    assert rows(ratings, standings) == kept
    call_command("ratings", "--write", stdout=StringIO())
    assert rows(Rating.objects.all(), Standing.objects.all()) == kept
    print(tallies())  # noqa: T201
    if MATCHES >= 200:
        assert set(tallies()) >= {*Rating.Note.values, "", *Holder.Ended.values} - {"away"}


def tallies() -> Counter[str]:
    """Count what happened."""
    found = Counter(Rating.objects.values_list("note", flat=True))
    return found + Counter(Holder.objects.values_list("ended", flat=True))
