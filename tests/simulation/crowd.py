"""What people do in an hour or two: they move, return, agree, chat, go away, and ask for less mail.

Everything goes through the services that a page calls. A refusal is an answer, as on the site.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from math import exp
from random import Random

from accounts.models import User
from games import services
from games.engine.contract import Refused, write
from games.models import Match, Seat
from games.queries import session_of
from games.tickets import Scope, Ticket
from tests.simulation.people import Person

DAY = timedelta(days=1)


class Crowd:
    def __init__(self, people: list[Person], chance: Random) -> None:
        self.people = {one.user.pk: one for one in people}
        self.chance = chance
        self.turns: set[tuple[int, int]] = set()  # a seat, and the epoch in which it moved

    def act(self, now: datetime, hours: float) -> None:
        """Let everybody do what they feel like in so many hours."""
        for seat in self._awaited():
            mean = self._mean_of(seat)
            if mean and self.chance.random() < 1 - exp(-hours / mean):
                seat.match.refresh_from_db()  # another of its seats may have moved just now
                with suppress(Refused):
                    self.take_turn(seat)
        self._now_and_then(now, hours)

    def take_turn(self, seat: Seat) -> None:
        """Make a whole neutral turn, move by move."""
        number, session = seat.index, session_of(seat.match)
        begun = session.epoch
        while number in session.state.to_act():
            change = services.match_play(
                match_id=seat.match_id,
                seat=number,
                token=session.token(number),
                text=write(session.state.idle(number)),
            )
            if number in change.done or change.match.status != Match.Status.RUNNING:
                break
            session = change.running
        self.turns.add((seat.pk, begun))

    def who_cannot_move(self) -> list[str]:
        """Let one of those who are awaited in each match move; list the refusals."""
        refused = []
        for seat in {seat.match_id: seat for seat in self._awaited()}.values():
            try:
                self.take_turn(seat)
            except Refused as refusal:
                refused.append(f"{seat.match}: {refusal.key}")
        return refused

    def _awaited(self) -> list[Seat]:
        return self._seats(to_act=True, bot="", user__isnull=False)

    # --- besides moves ---------------------------------------------------------------------------

    def _now_and_then(self, now: datetime, hours: float) -> None:
        """Of each of these about one in so many hours, whoever it is."""
        for every, deed in (
            (10, self._come_back),
            (16, self._take_over),
            (20, self._decide_alone),
            (12, self._nudge),
            (12, self._chat),
            (30, self._propose),
            (12, self._answer),
            (20, self._grant),
            (60, self._resign),
            (50, self._go_on_vacation),
            (40, self._take_a_day),
            (30, self._ask_for_less_mail),
            (90, self._verify),
            (110, self._vanish),
        ):
            if self.chance.random() < 1 - exp(-hours / every):
                with suppress(Refused):
                    deed(now)

    def _one(self, seats: "list[Seat]") -> Seat | None:
        return self.chance.choice(seats) if seats else None

    def _seats(self, **conditions: object) -> "list[Seat]":
        running = Seat.objects.filter(match__status=Match.Status.RUNNING, **conditions)
        return list(running.select_related("match", "user").order_by("pk"))

    def _present(self) -> Person:
        return self.chance.choice([one for one in self.people.values() if one.mean])

    def _come_back(self, _now: datetime) -> None:
        away = [seat for seat in self._seats(caretaker_since__isnull=False) if self._mean_of(seat)]
        if (seat := self._one(away)) and seat.user:
            services.match_return(match_id=seat.match_id, user=seat.user)

    def _mean_of(self, seat: Seat) -> float:
        return self.people[seat.user_id].mean if seat.user_id else 0.0

    def _take_over(self, _now: datetime) -> None:
        if seat := self._one(self._seats(offered__isnull=False)):
            services.seat_take(match_id=seat.match_id, user=self._present().user)
            self._unmute(seat.match_id, seat.pk)

    def _unmute(self, match_id: int, seat: int) -> None:
        """Whoever takes over a seat hears of it."""
        user = Seat.objects.get(pk=seat).user_id
        self.people[user or 0].muted.discard(match_id)

    def _decide_alone(self, _now: datetime) -> None:
        for seat in self._seats(caretaker_since__isnull=False):
            left = [one for one in self._seats(match=seat.match_id, bot="") if one.user]
            if len(left) == 1 and (user := left[0].user):
                choose = self.chance.choice([services.match_claim, services.match_play_on])
                choose(match_id=seat.match_id, user=user)
                return

    def _nudge(self, now: datetime) -> None:
        slow = self._seats(to_act=True, bot="", called__lt=now - DAY, user__isnull=False)
        if seat := self._one(slow):
            for other in self._seats(match=seat.match_id, bot="", user__isnull=False):
                if other.pk != seat.pk and other.user:
                    services.nudge(match_id=seat.match_id, user=other.user, seat=seat.index)
                    return

    def _chat(self, _now: datetime) -> None:
        """Say something, or read what was said."""
        seat = self._one(self._seats(bot="", user__isnull=False))
        if seat and seat.user:
            said = services.message_write(match=seat.match, user=seat.user, text="A fine stone!")
            other = self._one(self._seats(match=seat.match_id, bot="", user__isnull=False))
            if other and other.user and self.chance.random() < 0.4:
                services.messages_read(match=seat.match, user=other.user, upto=said.pk)

    def _propose(self, _now: datetime) -> None:
        seat = self._one(self._seats(bot="", user__isnull=False))
        if seat and seat.user:
            kind = self.chance.choice(["pause", "pause", "end"])
            services.proposal_make(match_id=seat.match_id, user=seat.user, kind=kind, days=2)

    def _answer(self, _now: datetime) -> None:
        asked = [seat for seat in self._seats(bot="", user__isnull=False) if seat.match.proposal]
        seat = self._one(asked)
        if seat and seat.user:
            agree = self.chance.random() < 0.7
            services.proposal_answer(match_id=seat.match_id, user=seat.user, agree=agree)

    def _grant(self, _now: datetime) -> None:
        for late in self._seats(asked__isnull=False):
            for other in self._seats(match=late.match_id, bot=""):
                if other.pk != late.pk and other.user:
                    answer = self.chance.choice([services.time_grant, services.time_claim])
                    answer(match_id=late.match_id, user=other.user)
                    return

    def _resign(self, _now: datetime) -> None:
        seat = self._one(self._seats(bot="", user__isnull=False))
        if seat and seat.user:
            services.match_resign(match_id=seat.match_id, user=seat.user)

    def _go_on_vacation(self, now: datetime) -> None:
        user = self._present().user
        begins = now + self.chance.choice([0, 1, 2]) * DAY
        services.vacation_start(user=user, begins=begins, days=self.chance.randrange(2, 11))

    def _take_a_day(self, _now: datetime) -> None:
        seat = self._one(self._seats(to_act=True, bot="", deadline__isnull=False))
        if seat and seat.user:
            services.day_take(match_id=seat.match_id, user=seat.user)

    def _ask_for_less_mail(self, now: datetime) -> None:
        """Mute a match, snooze, or stop everything, as the links at the foot of a mail do."""
        person = self._present()
        user = User.objects.get(pk=person.user.pk)
        less: Callable[[], None] = self.chance.choice(
            [
                lambda: self._mute(person),
                lambda: self._mute(person),
                lambda: self._snooze(person, user, now),
                lambda: self._unsubscribe(person, user),
            ]
        )
        less()

    def _mute(self, person: Person) -> None:
        if seat := self._one(self._seats(user=person.user)):
            services.seat_mute(match_id=seat.match_id, user_id=person.user.pk, muted=True)
            person.muted.add(seat.match_id)

    def _snooze(self, person: Person, user: User, now: datetime) -> None:
        until = (now + 2 * DAY).date()
        services.mail_less(Ticket(Scope.SNOOZE, user=user.pk), user, until=until)
        person.snoozed_until = User.objects.get(pk=user.pk).snoozed_until

    def _unsubscribe(self, person: Person, user: User) -> None:
        if sum(one.unsubscribed for one in self.people.values()) < len(self.people) // 10:
            services.mail_less(Ticket(Scope.ALL, user=user.pk), user, until=user.date_joined.date())
            person.unsubscribed = True

    def _verify(self, _now: datetime) -> None:
        for person in self.people.values():
            if not person.verified:
                person.verify()
                return

    def _vanish(self, _now: datetime) -> None:
        """Somebody leaves without a word, and never comes back."""
        self._present().gone = True
