"""The observer: after every sweep it says of each event whether it had the mail it should have had.

It looks at the rows before the sweep and after it, at the mails that arrived meanwhile, and at what
people did and asked for. What it finds wrong it writes down in `findings`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Max, Q

from accounts.models import Delivery
from games.models import Match, Move, Notice, Seat
from tests.simulation.crowd import Crowd
from tests.simulation.office import Arrival
from tests.simulation.people import Person
from tests.simulation.wishes import (
    DAY,
    PRESSING,
    REMINDERS,
    TURNS,
    digest_between,
    is_snoozed,
    meant_by,
    told_in,
    wants,
)

HOUR = timedelta(hours=1)
GRACE, LEASE = HOUR, timedelta(minutes=10)

Event = tuple[int, str, int, int, int | None]  # seat, kind, epoch, about, reader


@dataclass
class Sweep:
    """What befell the workers and the mail server while time stood at one moment."""

    before: datetime
    now: datetime
    killed: int = 0
    refused: int = 0
    dropped: int = 0


@dataclass
class Rows:
    """Notices as they are at one moment, and which of them are true then."""

    notices: dict[int, Notice]
    true: set[int]


@dataclass
class Observer:
    crowd: Crowd
    findings: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)  # handed over by somebody who was killed
    lost: int = 0  # of them, never arrived
    tallies: Counter[str] = field(default_factory=Counter)
    told: dict[Event, list[datetime | None]] = field(default_factory=lambda: defaultdict(list))
    settled: set[int] = field(default_factory=set)  # notices with a mail, or a reason for none
    deadlines: dict[int, set[datetime | None]] = field(default_factory=lambda: defaultdict(set))
    last_mail: dict[int, datetime] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)  # of mails that arrived

    # --- before a sweep --------------------------------------------------------------------------

    def before(self, now: datetime) -> None:
        """Look at what will be due."""
        self.eve = rows_of(Notice.objects.filter(due__lte=now), now)
        self.newest = Notice.objects.aggregate(newest=Max("pk"))["newest"] or 0
        awaited = Seat.objects.filter(to_act=True)
        self.deadline_of = dict(awaited.values_list("pk", "deadline"))
        self.place_of = {(seat.match_id, seat.index): seat.pk for seat in awaited}

    # --- after it --------------------------------------------------------------------------------

    def after(self, sweep: Sweep, arrivals: list[Arrival]) -> None:
        """Judge every event that was due, happened, or was told in this sweep."""
        mails = self._mails(sweep, arrivals)
        touched = Q(pk__in=self.eve.notices) | Q(pk__gt=self.newest)
        rows = rows_of(
            Notice.objects.filter(touched | Q(delivery__in=[mail.pk for mail in mails])), sweep.now
        )
        letters = {mail.pk: letter_of(mail, rows, sweep.now) for mail in mails}
        for mail in mails:
            self._judge_mail(mail, letters[mail.pk], arrivals, sweep)
        told = {notice.pk for letter in letters.values() for notice in letter}
        for notice in rows.notices.values():
            self._judge(notice, rows, sweep, is_told=notice.pk in told)
            if notice.pk > self.newest and notice.kind in ("timed_out", "vacation_used"):
                self._judge_haste(notice, sweep)
        self._note_deadlines()

    def _mails(self, sweep: Sweep, arrivals: list[Arrival]) -> list[Delivery]:
        """List the mails of a sweep that left, or may have; each arrives once, or was in a gap."""
        left = list(Delivery.objects.filter(created=sweep.now).exclude(state=Delivery.State.FAILED))
        came = Counter(arrival.name for arrival in arrivals)
        known = {mail.message_id: mail for mail in left}
        for name, times in came.items():
            if times > 1 or name in self.names:
                self._find(sweep, f"mail {name} arrived twice")
            if name not in known:
                self._find(sweep, f"mail {name} arrived and is not on record as sent")
        self.names |= came.keys()
        for mail in left:
            if mail.state == Delivery.State.HANDED:
                self._gap(mail, sweep, arrived=mail.message_id in came)
            elif mail.message_id not in came:
                self._find(sweep, f"mail {mail.message_id} is on record as sent, and never came")
        self.tallies["mails"] += len(came)
        return left

    def _gap(self, mail: Delivery, sweep: Sweep, *, arrived: bool) -> None:
        """The one gap: whoever handed a mail over was killed before writing down how that ended."""
        self.gaps.append(mail.message_id)
        self.lost += not arrived
        if not (sweep.killed or sweep.dropped):
            self._find(sweep, f"mail {mail.message_id} is in the gap, and nobody was killed")

    # --- a mail ----------------------------------------------------------------------------------

    def _judge_mail(
        self, mail: Delivery, letter: list[Notice], arrivals: list[Arrival], sweep: Sweep
    ) -> None:
        """A mail tells what it was sent for, and comes when its reader wants it."""
        meant = meant_by(letter)
        for arrival in arrivals:
            said = Counter(told_in(arrival.mail))
            if arrival.name == mail.message_id and not (said <= meant and set(said) == set(meant)):
                self._find(sweep, f"mail {arrival.name} tells {said} instead of {meant}")
        for notice in letter:
            self._judge_telling(notice, sweep)
        if person := self.crowd.people.get(mail.user_id or 0):
            self._judge_hour(mail, person, letter, sweep)
            self.last_mail[person.user.pk] = sweep.now

    def _judge_telling(self, notice: Notice, sweep: Sweep) -> None:
        """An event is told once; a reminder again only after its deadline was moved."""
        self.tallies[notice.kind] += 1
        event = event_of(notice)
        deadline = self.deadline_of.get(notice.seat_id)
        if event in self.told and not (
            notice.kind in REMINDERS and deadline not in self.told[event]
        ):
            self._find(sweep, f"{event} was told again")
        self.told[event].append(deadline)
        moved = any(
            seat == notice.seat_id and epoch >= notice.epoch for seat, epoch in self.crowd.turns
        )
        if notice.kind in TURNS and moved:
            self._find(sweep, f"{event} was told after the turn was made")

    def _judge_hour(
        self, mail: Delivery, person: Person, letter: list[Notice], sweep: Sweep
    ) -> None:
        calm = [notice for notice in letter if notice.kind not in PRESSING]
        if any(notice.kind in TURNS - {"last_chance"} for notice in letter) and is_snoozed(
            person, sweep.now
        ):
            self._find(sweep, f"mail {mail.message_id} was sent in a snooze")
        if len(calm) < len(letter) or any(self._was_tried(notice) for notice in letter):
            return
        last = self.last_mail.get(person.user.pk)
        hours = person.user.mail_hours * HOUR
        if person.user.notify == "limited" and last and sweep.now - last < hours:
            self._find(sweep, f"mail {mail.message_id} came sooner than {hours} after another")
        if person.user.notify == "digest" and not digest_between(person, sweep.before, sweep.now):
            self._find(sweep, f"mail {mail.message_id} did not wait for the daily hour")
        if not any(self._was_due(notice) for notice in letter):
            self._find(sweep, f"mail {mail.message_id} had no reason to leave")

    def _was_tried(self, notice: Notice) -> bool:
        return notice.pk in self.eve.notices and self.eve.notices[notice.pk].attempts > 0

    def _was_due(self, notice: Notice) -> bool:
        return notice.pk in self.eve.notices or notice.pk > self.newest

    # --- an event --------------------------------------------------------------------------------

    def _judge(self, notice: Notice, rows: Rows, sweep: Sweep, *, is_told: bool) -> None:
        """What was due is told, or waits, or will never be told: each for a reason of ours."""
        person = self.crowd.people.get(notice.reader_id or 0)
        welcome = person is None or (
            person.reachable and wants(person, notice.kind, notice.seat.match_id)
        )
        was_true = notice.pk in self.eve.true or notice.pk > self.newest
        is_true = notice.pk in rows.true
        if is_told:
            self.settled.add(notice.pk)
            if not welcome or not (was_true or is_true or notice.pk not in self.eve.notices):
                self._find(sweep, f"{event_of(notice)} was told: {welcome=} {was_true=} {is_true=}")
        elif notice.due is None:
            self.settled.add(notice.pk)
            self.tallies["untold"] += 1
            called_off = notice.kind in REMINDERS and self._has_moved(notice)
            if welcome and was_true and is_true and not called_off:
                self._find(sweep, f"{event_of(notice)} was not told, though due and true")
        elif not self._may_wait(notice, person, sweep):
            self._find(sweep, f"{event_of(notice)} waits until {notice.due}")

    def _judge_haste(self, notice: Notice, sweep: Sweep) -> None:
        """Nobody's time is up before the deadline that was shown, and the grace."""
        late = self.place_of.get((notice.seat.match_id, notice.about), 0)
        deadline = self.deadline_of.get(late)
        if deadline is None or deadline + GRACE > sweep.now:
            self._find(sweep, f"{event_of(notice)}: the deadline was {deadline}")

    def _may_wait(self, notice: Notice, person: Person | None, sweep: Sweep) -> bool:
        assert notice.due is not None
        snoozes = person and notice.kind in TURNS and is_snoozed(person, sweep.now)
        if person and snoozes and notice.due == person.snoozed_until:
            return True  # also one that was tried in vain before the snooze began
        if notice.due == sweep.now + LEASE and notice.attempts:
            return sweep.killed > 0  # by somebody who had claimed it
        if notice.error:
            return sweep.refused > 0
        if notice.pk > self.newest and notice.kind in TURNS | {"chat"}:
            return True  # it is not its time yet
        if notice.kind in REMINDERS and notice.due == moment_of(notice):
            return True
        if person is None or snoozes:
            return False
        longest = {"limited": person.user.mail_hours * HOUR, "digest": DAY + HOUR}
        calm = longest.get(person.user.notify)
        if calm is None or notice.kind in PRESSING or self._was_tried(notice):
            return False
        return notice.due - sweep.now <= calm

    def _has_moved(self, notice: Notice) -> bool:
        return notice.seat.deadline != self.deadline_of.get(notice.seat_id)

    def _note_deadlines(self) -> None:
        for seat, deadline in Seat.objects.filter(to_act=True).values_list("pk", "deadline"):
            self.deadlines[seat].add(deadline)

    def _find(self, sweep: Sweep, words: str) -> None:
        self.findings.append(f"{sweep.now:%d %b %H:%M}: {words}")

    # --- at the end ------------------------------------------------------------------------------

    def unexplained(self) -> list[str]:
        """List the events that have neither a mail, nor a reason for none, nor a time to come."""
        silent = Notice.objects.filter(due=None, sent=None).exclude(pk__in=self.settled)
        return [str(event_of(notice)) for notice in silent if not self._was_called_off(notice)]

    def _was_called_off(self, notice: Notice) -> bool:
        """Messages were read before their mail was due; a deadline moved away from a reminder."""
        if notice.kind == "chat":
            return True
        return notice.kind in REMINDERS and len(self.deadlines[notice.seat_id]) > 1


def moment_of(notice: Notice) -> datetime | None:
    """Say when a reminder is due by the deadline as it stands now."""
    seat = notice.seat
    if seat.deadline is None or seat.called is None:
        return None
    if notice.kind == "last_chance":
        return seat.deadline - 3 * HOUR
    share = {"reminded_half": 0.5, "reminded_late": 0.8}[notice.kind]
    return seat.called + share * (seat.deadline - seat.called)


def event_of(notice: Notice) -> Event:
    return (notice.seat_id, str(notice.kind), notice.epoch, notice.about, notice.reader_id)


def letter_of(mail: Delivery, rows: Rows, now: datetime) -> list[Notice]:
    """List what a mail was sent for, a reminder that was set anew since included."""
    return [
        notice
        for notice in rows.notices.values()
        if notice.delivery_id == mail.pk
        and (notice.sent == now or (notice.kind in REMINDERS and notice.attempts == 0))
    ]


def rows_of(notices: "Iterable[Notice]", now: datetime) -> Rows:
    kept = {row.pk: row for row in notices.select_related("seat__match")}  # type: ignore[attr-defined]
    seats = {row.seat_id for row in kept.values()}
    calls = Notice.objects.filter(seat__in=seats, kind="your_turn").values_list("seat")
    latest = dict(calls.annotate(Max("epoch")).order_by("seat"))
    true = {pk for pk, row in kept.items() if is_true(row, latest.get(row.seat_id), now)}
    return Rows(kept, true)


def is_true(notice: Notice, latest_call: int | None, now: datetime) -> bool:
    """Tell whether an event still means something to its reader."""
    seat, match = notice.seat, notice.seat.match
    running, is_open = match.status == "running", match.status == "open"
    present = not seat.bot and seat.user_id == notice.reader_id
    awaited = running and seat.to_act and present
    match notice.kind:
        case "your_turn":
            return awaited and latest_call == notice.epoch
        case "reminded_half" | "reminded_late" | "last_chance":
            in_time = seat.deadline is not None and seat.asked is None and now < seat.deadline
            return awaited and latest_call == notice.epoch and in_time
        case "nudged" | "granted":
            return awaited
        case "timed_out" if running and match.seats.count() == 2:
            return match.seats.exclude(asked=None).exists()
        case "lone":
            seats = list(match.seats.all())
            people = [one for one in seats if one.user_id and not one.bot]
            return running and len(people) == 1 and any(one.user_id and one.bot for one in seats)
        case "invited":
            return is_open and not seat.user_id and not seat.bot
        case "joined":
            return is_open
        case "expires_soon":
            return match.expires is not None and match.warned > 0
        case "paused" | "asleep" | "substitute_sought" if not running:
            return False
        case "caretaker" | "substitute_sought" if notice.about == seat.index:
            return bool(seat.user_id and seat.bot)
        case "proposed":
            return bool(match.proposal) and _is_asked(match, notice)
        case "started":
            moved = Move.objects.filter(match=match, seat=seat.index).exists()
            return running and present and not seat.to_act and not moved
    return True


def _is_asked(match: Match, notice: Notice) -> bool:
    proposal = match.proposal or {}
    return proposal["by"] == notice.about and notice.seat.index not in proposal["agreed"]
