"""What the mail provider reports: an address that is dead, or whose owner calls our mail spam.

django-anymail takes the report at /mail/reports/<provider>/tracking/ and says here what it means,
whichever provider it came from.
"""

from typing import Any

from anymail.signals import AnymailTrackingEvent, tracking

from accounts.services import address_died

PASSING = {"timed_out", "other"}  # reasons of a bounce that may be over tomorrow


def listen() -> None:
    tracking.connect(reported, dispatch_uid="accounts.bounces")


def reported(sender: object, event: AnymailTrackingEvent, **_kwargs: Any) -> None:
    """Stop a dead address; a mailbox that is full or slow today is left alone."""
    dead = event.event_type in {"bounced", "rejected"} and event.reject_reason not in PASSING
    if event.recipient and (dead or event.event_type == "complained"):
        address_died(event.recipient, event.description or event.event_type)
