"""The driver: sets the clock ahead, lets people act and ticks come, and waits until all is done."""

import time
from collections import Counter
from datetime import datetime, timedelta
from random import Random

from django.db import connection

from games.models import Match
from tests.simulation.clock import Gate, SharedClock
from tests.simulation.crowd import Crowd
from tests.simulation.observer import GRACE, HOUR, Observer, Sweep
from tests.simulation.office import Office
from tests.simulation.plant import Plant

PATIENCE = 120.0  # real seconds until work that is left counts as stuck
DUE = """
select 'deadlines passed', count(*) from games_seat where to_act and deadline <= %(late)s
union all
select 'bots to move', count(*) from games_seat seat join games_match m on m.id = seat.match_id
    where seat.to_act and seat.bot <> '' and m.status = 'running' and m.asleep is null
    and (seat.thinking_until is null or seat.thinking_until < %(now)s)
union all
select 'matches to look at', count(*) from games_match where look_again <= %(now)s
union all
select 'mails due', count(*) from games_notice where due <= %(now)s
"""
HARMS = {"restart_broker": 61, "replace_worker": 47, "replace_beat": 97}  # every so many sweeps
CRUELTIES = ("refuse", "drop", "kill_before", "kill_after")


class World:
    def __init__(
        self,
        *,
        clock: SharedClock,
        gate: Gate,
        plant: Plant,
        office: Office,
        crowd: Crowd,
        seed: str,
    ) -> None:
        self.clock, self.gate, self.plant, self.office = clock, gate, plant, office
        self.crowd, self.observer = crowd, Observer(crowd)
        self.chance = Random(f"{seed} fate")
        self.done: Counter[str] = Counter()
        self.is_calm = False
        office.kill = lambda: plant.kill_working(gate.working())

    def live(self, length: timedelta) -> None:
        """Let so much time pass, a few hours at a time; the last day is a calm one."""
        end = self.clock.now() + length
        while self.clock.now() < end:
            self.step(timedelta(minutes=self.chance.randrange(150, 180)))
        self.is_calm = True
        for _ in range(3):
            self.step(2 * HOUR)

    def step(self, length: timedelta) -> None:
        """People act while nothing else moves; then time goes on, and the workers find it so."""
        before = self.clock.now()
        self.crowd.act(before, length / HOUR)
        now = before + length
        self.observer.before(now)
        self.clock.set(now)
        sweep = Sweep(before, now)
        arrived = len(self.office.arrivals)
        self._sweep(sweep)
        self.observer.after(sweep, self.office.arrivals[arrived:])
        self.done["sweeps"] += 1
        assert self.observer.findings == [], self._report()

    def _sweep(self, sweep: Sweep) -> None:
        server = self.office
        before = (server.killed, server.refused, server.dropped)
        self.gate.open()
        sweep.killed = self._strike(sweep.now)
        self._await_rest(sweep.now)
        server.cruelty = ""
        sweep.killed += server.killed - before[0]
        sweep.refused, sweep.dropped = server.refused - before[1], server.dropped - before[2]
        self.done["killed"] += sweep.killed

    # --- what goes wrong -------------------------------------------------------------------------

    def _strike(self, now: datetime) -> int:
        """Do harm: at fixed times to the broker, a worker or a beat, else to who is at work."""
        number, lot = self.done["sweeps"], self.chance.random()
        if self.is_calm:
            return 0
        for harm, every in HARMS.items():
            if number % every == every // 2:
                self.done[harm] += 1
                getattr(self, f"_{harm}")()
                return harm == "replace_worker"
        if lot < 0.3 and work_left(now):
            return self._kill_somebody_at_work(now)
        if lot < 0.55:
            self.office.cruelty = self.chance.choice(CRUELTIES)
        return 0

    def _restart_broker(self) -> None:
        self.plant.restart_redis(away=self.chance.choice([0.0, 0.5]))

    def _replace_worker(self) -> None:
        self.plant.replace_worker(self.chance)

    def _replace_beat(self) -> None:
        self.plant.replace_beat(self.chance)

    def _kill_somebody_at_work(self, now: datetime) -> int:
        """Wait for somebody to be at work, and a little longer; then kill -9."""
        ends = time.monotonic() + 1
        while time.monotonic() < ends and not self.gate.working() and work_left(now):
            time.sleep(0.002)
        time.sleep(self.chance.random() * 0.05)
        working = self.gate.working()
        self.chance.shuffle(working)
        return self.plant.kill_working(working[:1])

    # --- when all is done ------------------------------------------------------------------------

    def _await_rest(self, now: datetime) -> None:
        """Wait until nothing is due any more and nobody is at work; then hold everybody up."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if not work_left(now) and self.gate.try_to_close():
                if not work_left(now):
                    return
                self.gate.open()
            time.sleep(0.02)
        raise AssertionError(f"stuck at {now}: {work_left(now)}\n{self.plant.last_words()}")

    def summary(self) -> str:
        """Say in figures what happened."""
        observer = self.observer
        ends = Counter(Match.objects.values_list("status", "ending"))
        gaps = f"{len(observer.gaps)} mails in the gap, {observer.lost} of them lost"
        return f"{self.done}\n{observer.tallies}\n{gaps}\n{ends}"

    def _report(self) -> str:
        found = "\n".join(self.observer.findings[:20])
        count = len(self.observer.findings)
        return f"{count} findings\n{found}\n{self.summary()}\n{self.plant.last_words()}"


def work_left(now: datetime) -> dict[str, int]:
    """Count what is due: deadlines, bots' turns, tables to look at, mails. One question: it is
    asked a thousand times."""
    with connection.cursor() as cursor:
        cursor.execute(DUE, {"now": now, "late": now - GRACE})
        return {name: count for name, count in cursor.fetchall() if count}
