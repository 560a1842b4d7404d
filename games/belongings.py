"""Everything the site keeps about one person, to be taken away.

Each part is one query. Other people's words stay out, and so do secrets: passwords, keys, and the
seed and hidden cards of matches that still run.
"""

from collections.abc import Callable, Iterator
from typing import Any

import orjson
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.db.models import F, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from accounts.addresses import addresses_read_by
from accounts.models import Delivery, Mail, OptOut, Tie, User
from games.models import Holder, Match, Move, Notice, Report, Seat
from games.queries import verified_addresses

FORM = "Nilepost belongings 1"
CHUNK = 500

# What a user's row says. What it does not: see NOT_GIVEN.
ACCOUNT = (
    *("username", "email", "first_name", "last_name", "date_joined", "last_login", "is_guest"),
    *("is_active", "is_staff", "is_superuser", "language", "heard", "time_zone", "theme"),
    *(
        "confirm_turn",
        "animation",
        "lessons",
        "seen",
        "shown_to",
        "quiet",
        "quiet_from",
        "quiet_until",
        "weekend",
    ),
    *("vacation_by_itself", "notify", "mail_delay", "mail_hours", "digest_hour", "declined"),
    *("snoozed_until", "unsubscribed", "dead_address"),
)
NOT_GIVEN = ("id", "password", "feed_key")  # a number of ours, and two that open doors

Rows = QuerySet[Any, Any]  # of dicts


def moves_by(user: User) -> QuerySet[Move]:
    """List the moves a person made, not those that others made on the same seat."""
    mine = {"match__seats__index": F("seat"), "match__seats__holders__user": user}
    still = Q(match__seats__holders__last_move=None)
    still |= Q(pk__lte=F("match__seats__holders__last_move"))
    begun = {"pk__gte": F("match__seats__holders__first_move")}
    return Move.objects.filter(still, by=Move.By.PLAYER, **mine, **begun).order_by("pk")


def _matches(user: User) -> Rows:
    there = (
        *("match_id", "index", "score", "rank", "match__game_slug", "match__status"),
        *("match__ending", "match__options", "match__pace_slug", "match__rated"),
        *("match__private", "match__started", "match__finished"),
    )
    named = {name.replace("match__", ""): F(f"seat__{name}") for name in there}
    own = (
        *("since", "until", "ended", "left", "seen", "substituted", "turns", "missed"),
        *("missed_in_a_row", "caretaker_turns", "responses", "marks"),
    )
    rows: Rows = Holder.objects.filter(user=user).order_by("pk").values(*own, **named)
    return rows


def _invitations(user: User) -> Rows:
    """List the seats kept for somebody, by name or by an address that is surely theirs."""
    kept = Q(invitee=user)
    for address in verified_addresses(user):
        kept |= Q(invitee_email__iexact=address)
    return Seat.objects.filter(kept).values("match", "index", host=F("match__host__username"))


PARTS: dict[str, Callable[[User], Rows]] = {
    "addresses": lambda user: EmailAddress.objects.filter(user=user).values(
        "email", "verified", "primary"
    ),
    "second_steps": lambda user: Authenticator.objects.filter(user=user).values(
        "type", "created_at", "last_used_at", name=KeyTextTransform("name", "data")
    ),
    "visits": lambda user: UserSession.objects.filter(user=user).values(
        "ip", "user_agent", "created_at", "last_seen_at"
    ),
    "programs": lambda user: user.api_keys.values("name", "created", "used"),
    "people": lambda user: Tie.objects.filter(user=user).values(
        "kind", "since", name=F("other__username")
    ),
    "no_invitations": lambda user: OptOut.objects.filter(
        address__in=addresses_read_by(user)
    ).values("address"),
    "vacations": lambda user: user.vacations.values("match", "begins", "ends", "by_itself"),
    "hosted": lambda user: Match.objects.filter(host=user).values(
        *("id", "created", "status", "ending", "game_slug", "options", "seats_wanted"),
        *("pace_slug", "weekends", "vacations", "courtesy", "rated", "least_in_time", "private"),
    ),
    "invitations": _invitations,
    "matches": _matches,
    "seats": lambda user: Seat.objects.filter(user=user).values(
        *("match", "index", "muted", "bot", "to_act", "called", "acted", "reserve", "deadline"),
        *("asked", "nudged", "caretaker_since", "offered"),
    ),
    "moves": lambda user: moves_by(user).values("match", "seat", "text", "at"),
    "messages": lambda user: user.messages.values("match", "text", "at"),
    "notes": lambda user: user.notebooks.values("match", "text", "read"),
    "ratings": lambda user: user.ratings.values(
        *("match", "game_slug", "at", "mu_before", "sigma_before", "mu", "sigma", "note"),
        *("left", "seen", "returned"),
    ),
    "standings": lambda user: user.standings.values("game_slug", "mu", "sigma", "matches"),
    "reports": lambda user: Report.objects.filter(reporter=user).values(
        "match", "reason", "words", "created", "is_closed", name=F("about__username")
    ),
    "notices": lambda user: Notice.objects.filter(reader=user).values(
        "kind", "created", "due", "sent", "attempts", "error", match=F("seat__match")
    ),
    "mails": lambda user: Delivery.objects.filter(user=user).values(
        "to", "subject", "state", "error", "is_test", "created"
    ),
    "mailbox": lambda user: Mail.objects.filter(to__in=addresses_read_by(user)).values(
        "to", "subject", "text", "created"
    ),
    "rulings": lambda user: LogEntry.objects.filter(user=user).values(
        "action_time", "object_repr", "change_message"
    ),
}


def belongings_of(user: User) -> Iterator[bytes]:
    """Write everything as one JSON object, piece by piece: it may be large."""
    account = {name: getattr(user, name) for name in ACCOUNT}
    yield b'{"form": %b,\n"account": %b' % (orjson.dumps(FORM), orjson.dumps(account))
    for part, rows in PARTS.items():
        yield b",\n%b: [" % orjson.dumps(part)
        for number, row in enumerate(rows(user).iterator(chunk_size=CHUNK)):
            yield (b",\n" if number else b"\n") + orjson.dumps(row, default=str)
        yield b"]"
    yield b"}\n"
