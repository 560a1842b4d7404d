"""From claimed notices to a mail: one section for each match, in the reader's language and zone."""

import logging
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Max
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.wishes import Topic
from games import pages, queries
from games.letters import (
    Letter,
    Section,
    message_id,
    message_of,
    section_of,
    table_section,
    tickets_of,
)
from games.models import Match, Notice
from games.notices import REMINDERS
from games.people import messages_new_to
from games.prose import moment as when
from games.tickets import Scope, ticket_address
from games.verdicts import TOPICS, TURNS

log = logging.getLogger(__name__)

MOST_PICTURES = 4  # in one mail; the other boards are a click away
MOST_OTHERS = 20  # that wait too
MOST_MESSAGES = 5  # of a chat; the page has them all
ORDER = {kind: place for place, kind in enumerate(("last_chance", "reminded_late", "your_turn"))}


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Notices that one worker may send now, all to the same person."""

    to: User | str  # an address: somebody we do not know
    notices: tuple[Notice, ...]
    now: datetime


@dataclass(frozen=True, kw_only=True)
class Mail:
    message: EmailMessage
    message_id: str
    named_after: int | None = None  # the notice whose event gave it its name


def mail_for(claim: Claim) -> Mail:
    """Write the mail for a claim, as its reader speaks and counts time."""
    user = claim.to if isinstance(claim.to, User) else None
    spoken = user or _host(claim)  # a stranger is written to as the host speaks
    language = spoken.tongue if spoken else settings.LANGUAGE_CODE
    zone = spoken.zone if spoken else zoneinfo.ZoneInfo(settings.TIME_ZONE)
    with translation.override(language), timezone.override(zone):
        letter = letter_for(claim)
        return Mail(
            message=message_of(letter),
            message_id=message_id(letter.key),
            named_after=_by_match(claim.notices)[0][0].pk,
        )


def _host(claim: Claim) -> User | None:
    return claim.notices[0].seat.match.host


def test_mail_for(user: User, now: datetime) -> Mail:
    """Write a mail that says only that it arrived."""
    with translation.override(user.tongue), timezone.override(user.zone):
        section = Section(
            number=0,
            title=_("Test mail"),
            address=f"{settings.SITE_URL}/accounts/settings/#notifications",
            sentences=(_("This mail has arrived, so your turn mails will arrive too."),),
            button=_("My settings"),
        )
        letter = Letter(
            to=user.email,
            name=user.username,
            key=f"u{user.pk}.test.{int(now.timestamp() * 1000)}",
            thread=f"test.u{user.pk}",
            sections=(section,),
            tickets=tickets_of(user, None),
        )
        return Mail(message=message_of(letter), message_id=message_id(letter.key))


def letter_for(claim: Claim) -> Letter:
    matches = _by_match(claim.notices)
    sections = tuple(
        _section(notices, claim.now, with_picture=place < MOST_PICTURES)
        for place, notices in enumerate(matches)
    )
    only = matches[0][0].seat.match if len(matches) == 1 else None
    if not isinstance(claim.to, User):
        return _invitation(claim.to, _key(matches), only, sections)
    if only is None:
        sections = tuple(_with_mute(section, claim.to) for section in sections)
    return Letter(
        to=claim.to.email,
        name=claim.to.username,
        key=_key(matches),
        thread=f"m{only.pk}.u{claim.to.pk}" if only else f"matches.u{claim.to.pk}",
        sections=sections,
        others=_others(claim.to, sections),
        tickets=tickets_of(claim.to, only, _stopped_by_one_click(matches)),
    )


def _stopped_by_one_click(matches: Sequence[Sequence[Notice]]) -> Scope:
    """Turn mails, if the mail calls to a turn; else what its first event is about."""
    if any(notice.kind in TURNS for notices in matches for notice in notices):
        return Scope.TURNS
    return Scope(TOPICS.get(Notice.Kind(matches[0][0].kind), Topic.COURSE))


def _invitation(to: str, key: str, only: Match | None, sections: tuple[Section, ...]) -> Letter:
    stop = ticket_address(Scope.INVITATIONS, address=to)
    return Letter(
        to=to,
        name="",
        key=key,
        thread=f"m{only.pk}" if only else "invitations",
        sections=sections,
        tickets=((Scope.INVITATIONS, stop),),
    )


def _with_mute(section: Section, user: User) -> Section:
    return replace(section, mute=ticket_address(Scope.MATCH, user=user, match=section.number))


def _by_match(notices: Sequence[Notice]) -> list[list[Notice]]:
    """Put the most pressing match first, and in it the most pressing notice."""

    def urgency(notice: Notice) -> tuple[int, float]:
        deadline = notice.seat.deadline
        return ORDER.get(notice.kind, len(ORDER)), deadline.timestamp() if deadline else 1e12

    groups: dict[int, list[Notice]] = {}
    for notice in sorted(notices, key=urgency):
        groups.setdefault(notice.seat_id, []).append(notice)
    return list(groups.values())


def _key(matches: Sequence[Sequence[Notice]]) -> str:
    """Name the event a mail is about: no other mail bears the name of its first notice."""
    first = matches[0][0]
    seat = first.seat
    key = f"m{seat.match_id}.s{seat.index}.e{first.epoch}.a{first.about}.{first.kind}"
    if first.reader_id:  # whoever takes over a seat is called to the same turn
        key += f".u{first.reader_id}"
    if first.kind in REMINDERS and seat.deadline:  # a moved deadline is another event
        key += f".{int(seat.deadline.timestamp())}"
    return key.replace("_", "-")


def _section(notices: Sequence[Notice], now: datetime, *, with_picture: bool) -> Section:
    seat = notices[0].seat
    match = queries.match_with_seats(seat.match_id) or seat.match
    if not match.snapshot or seat.user_id is None or seat.user_id != notices[0].reader_id:
        return table_section(match, notices)
    try:
        sight = replace(pages.sight_of(match, seat.index), now=now)
        section = section_of(sight, notices, match, with_picture=with_picture)
        return replace(section, chat=_chat(match, seat.user))
    except Exception:  # a position that cannot be read must not keep a deadline secret
        log.exception("match %s cannot be shown in a mail", match.pk)
        return table_section(match, notices)


def _chat(match: Match, reader: User | None) -> tuple[str, ...]:
    """Quote the latest that others have said, oldest first and once, to who wants to hear of it."""
    if reader is None or Topic.CHAT in reader.declined:
        return ()
    mailed = Notice.objects.filter(seat__match=match, reader=reader).aggregate(last=Max("sent"))
    new = messages_new_to(match, reader)
    latest = [one for one in new if mailed["last"] is None or one.at > mailed["last"]]
    return tuple(f"{one.author}: {one.text}" for one in reversed(latest[:MOST_MESSAGES]))


def _others(user: User, sections: Sequence[Section]) -> tuple[tuple[str, str, str], ...]:
    """List the further matches in which it is this user's turn, least time left first."""
    told = [section.number for section in sections]
    waiting = queries.seats_waiting_for(user).filter(muted=False).exclude(match__in=told)
    return tuple(
        (
            str(seat.match),
            f"{settings.SITE_URL}/matches/{seat.match_id}/",
            when(seat.deadline) if seat.deadline else "",
        )
        for seat in waiting[:MOST_OTHERS]
    )
