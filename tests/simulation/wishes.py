"""Mail as the observer understands it: what each kind says, and when somebody wants to read it."""

import re
from collections import Counter
from datetime import datetime, time, timedelta
from email.message import EmailMessage
from zoneinfo import ZoneInfo

from games.models import Notice
from tests.mailserver import text_of
from tests.simulation.people import Person

DAY = timedelta(days=1)

REMINDERS = frozenset({"reminded_half", "reminded_late", "last_chance"})
TURNS = REMINDERS | {"your_turn"}
PRESSING = frozenset({"reminded_late", "last_chance"})
TOPIC_OF = {
    "reminded_half": "reminders",
    "reminded_late": "reminders",
    "invited": "invitations",
    "joined": "tables",
    "expires_soon": "tables",
    "expired": "tables",
    "nudged": "nudges",
    "chat": "chat",
    "vacation_used": "vacation",
}
WORDS = {  # how the sentence of a mail begins that tells of an event
    "your_turn": "It is your turn",
    "reminded_half": "It is still your turn, and half",
    "reminded_late": "It is still your turn, and most",
    "last_chance": "Last chance:",
    "timed_out": "(Your time|The time of .*) (has run out|is up)",
    "caretaker": "A bot now takes care|.* resigned, and a bot|.*acation .*has held up a turn",
    "substitute_sought": "A substitute is sought",
    "substituted": "Somebody else has taken over|.* has taken over (a|the) seat",
    "back": "You are back|.* is back",
    "lone": "You are the only person left|Only .* is left, and may end",
    "plays_on": ".*, the only one left, plays on",
    "granted": ".* grants you time",
    "asleep": "Nobody play(s|ed) any more",
    "cancelled": "The match was cancelled",
    "paused": "The match is paused",
    "proposed": ".* proposes |You propose|There was a proposal",
    "started": "The match has started",
    "finished": "The match is over",
    "invited": ".* invites you",
    "joined": ".* has joined your table",
    "expires_soon": "(Your|The) table closes on|You have not answered yet|"
    "(Nobody moves|Still nobody plays): the match is",
    "expired": "The table was closed",
    "nudged": ".* asks you to move",
    "chat": ".* has written to you|There are new messages",
    "vacation_used": "Your time was up, so a day|The time of .* was up, so a day",
}


def meant_by(letter: list[Notice]) -> Counter[tuple[int, str]]:
    """Count what a mail is to tell, at most: what would be said in the same words is said once.

    Of the calls to a turn the most pressing says it all.
    """
    calls = ("last_chance", "reminded_late", "your_turn", "reminded_half")
    meant = Counter((notice.seat.match_id, str(notice.kind)) for notice in letter)
    for match in {match for match, _kind in meant}:
        for lesser in [call for call in calls if (match, call) in meant][1:]:
            del meant[match, lesser]
    return meant


def told_in(mail: EmailMessage) -> list[tuple[int, str]]:
    """List what a mail tells: the number of a match and the kind of event, read from its text."""
    told = []
    number = 0
    for line in text_of(mail).splitlines():
        title = None if line.startswith("- ") else re.fullmatch(r".+ #(\d+)( with .+)?", line)
        if title:
            number = int(title[1])
        elif not line:
            number = 0  # the sentences stand under the title
        elif number:
            told += [(number, kind) for kind, words in WORDS.items() if re.match(words, line)]
    return sorted(told)


def wants(person: Person, kind: str, match: int) -> bool:
    if kind == "last_chance":
        return True
    if match in person.muted or (kind in TURNS and person.user.notify == "none"):
        return False
    return kind == "your_turn" or TOPIC_OF.get(kind, "course") not in person.user.declined


def is_snoozed(person: Person, now: datetime) -> bool:
    return person.snoozed_until is not None and person.snoozed_until > now


def digest_between(person: Person, before: datetime, now: datetime) -> bool:
    """Tell whether the hour of a person's daily mail has come since a moment."""
    zone = ZoneInfo(person.user.time_zone)
    days = [(now + number * DAY).astimezone(zone).date() for number in (-1, 0, 1)]
    hours = [datetime.combine(day, time(person.user.digest_hour), zone) for day in days]
    return any(before <= hour <= now for hour in hours)
