"""The people of the simulation: how soon they move, and how they want to hear from the site.

A `Person` is the simulation's own record, kept beside the rows of the database: the observer judges
by what somebody asked for, not by what the site made of it.
"""

from dataclasses import dataclass, field
from datetime import datetime
from random import Random

from allauth.account.models import EmailAddress

from accounts.models import User
from tests.site.people import person

ZONES = ("Europe/Amsterdam", "America/New_York", "Asia/Tokyo", "Australia/Adelaide", "UTC")
# How long each kind of person lets a match wait, on average, in hours.
HABITS = {"diligent": 48.0, "steady": 90.0, "slow": 130.0, "absent": 0.0}
WISHES: tuple[dict[str, object], ...] = (
    {"notify": "every_turn"},
    {"notify": "every_turn", "mail_delay": 0},
    {"notify": "every_turn", "mail_delay": 240, "declined": ["nudges", "chat"]},
    {"notify": "limited", "mail_hours": 12},
    {"notify": "limited", "mail_hours": 48, "declined": ["reminders"]},
    {"notify": "digest", "digest_hour": 7},
    {"notify": "digest", "digest_hour": 19},
    {"notify": "none", "declined": ["course"]},
)


@dataclass(eq=False)
class Person:
    user: User
    habit: str
    verified: bool
    unsubscribed: bool = False
    snoozed_until: datetime | None = None
    muted: set[int] = field(default_factory=set)  # matches
    gone: bool = False  # will never come back

    @property
    def reachable(self) -> bool:
        return self.verified and not self.unsubscribed

    @property
    def mean(self) -> float:
        return 0.0 if self.gone else HABITS[self.habit]

    def verify(self) -> None:
        """Click on the link in the mail that asks for it."""
        EmailAddress.objects.create(
            user=self.user, email=self.user.email, verified=True, primary=True
        )
        self.verified = True


def populace(count: int, chance: Random) -> list[Person]:
    """Make people of every habit and every wish."""
    habits = ["diligent", "steady", "steady", "slow", "steady", "absent"]
    made = []
    for number in range(count):
        verified = number % 10 != 9
        wishes = WISHES[number % len(WISHES)] | {
            "time_zone": chance.choice(ZONES),
            "quiet": chance.random() < 0.6,
            "quiet_from": chance.randrange(20, 24),
            "quiet_until": chance.randrange(3, 5),
            "vacation_by_itself": chance.random() < 0.3,
        }
        user = person(f"P{number:03}", verified=verified, **wishes)
        made.append(Person(user, habits[number % len(habits)], verified))
    return made
