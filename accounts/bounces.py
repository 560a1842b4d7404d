"""What the mail provider reports: an address that is dead, or whose owner calls our mail spam.

django-anymail takes the report at /mail/reports/<provider>/tracking/ and says here what it means,
whichever provider it came from.
"""

import re
from typing import Any

from anymail.signals import AnymailTrackingEvent, tracking

from accounts.services import address_died

PASSING = {"timed_out", "other"}  # reasons of a bounce that may be over tomorrow
SOFT = re.compile("soft.?bounce", re.IGNORECASE)  # anymail keeps this only in the provider's words


def listen() -> None:
    tracking.connect(reported, dispatch_uid="accounts.bounces")


def reported(sender: object, event: AnymailTrackingEvent, **_kwargs: Any) -> None:
    """Stop a dead address; a mailbox that is full or slow today is left alone."""
    passing = event.reject_reason in PASSING or SOFT.search(str(event.esp_event))
    dead = event.event_type in {"bounced", "rejected"} and not passing
    if event.recipient and (dead or event.event_type == "complained"):
        address_died(event.recipient, event.description or event.event_type)
