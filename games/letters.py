"""What a mail says: sections about matches become a subject, a text, an HTML part and headers.

A section is made from what its reader may see (the same Sight as the page) and from nothing else;
the words are the reader's. Sending is the outbox's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.mime.image import MIMEImage

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.stationery import printed
from games import pages, pictures, prose
from games.affairs import pace_words
from games.chairs import Place
from games.models import Holder, Match, Notice, Seat
from games.notices import REMINDERS
from games.pages import Page, Sight
from games.prose import moment as when
from games.services.timeouts import is_last_miss, is_too_soon
from games.tellings import tellings
from games.tickets import Scope, ticket_address

MOST_LINES = 8  # of the recap; the page has them all
ASKING = frozenset(  # for a move
    {Notice.Kind.YOUR_TURN, Notice.Kind.NUDGED, Notice.Kind.GRANTED, *REMINDERS}
)


@dataclass(frozen=True, kw_only=True)
class Section:
    """What a mail says about one match."""

    number: int
    title: str
    address: str
    sentences: tuple[str, ...]  # what is to be told, the most pressing first
    button: str  # of the one big link
    names: str = ""  # of the others at the table
    deadline: str = ""
    recap: tuple[str, ...] = ()
    recap_left: int = 0  # sentences that are only on the page
    todo: str = ""
    duties: tuple[str, ...] = ()  # what the turn still owes
    otherwise: str = ""  # what happens if the reader does nothing
    places: tuple[Place, ...] = ()
    chat: tuple[str, ...] = ()  # what others said that the reader has not seen yet
    picture: bytes = b""
    alt: str = ""
    mute: str = ""  # address that asks for no more mail about it; of one match the footer has it

    @property
    def cid(self) -> str:
        return f"board-{self.number}"


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A mail before it is put into an envelope."""

    to: str
    name: str  # empty: somebody we do not know
    key: str  # names the event; no other mail has it
    thread: str
    sections: tuple[Section, ...]
    others: tuple[tuple[str, str, str], ...] = ()  # that wait too: title, address, until when
    tickets: tuple[tuple[Scope, str], ...] = ()  # the first is what one click stops

    @property
    def subject(self) -> str:
        """The same for every mail of a thread: mail programs would tear it apart otherwise."""
        if len(self.sections) == 1:
            return f"{settings.SITE_NAME}: {self.sections[0].title}"
        return _("%(site)s: your matches") % {"site": settings.SITE_NAME}


# --- a section -------------------------------------------------------------------------------


def section_of(
    sight: Sight, notices: Sequence[Notice], match: Match, *, with_picture: bool = True
) -> Section:
    """Tell a player of a match that has begun what is new and what it asks."""
    page: Page = pages.context_of(sight)["page"]
    asked = any(_asks(notice) for notice in notices)
    deadline = sight.players[sight.seat or 0].deadline if asked else None
    recap = _recap(page) if asked else ()
    return Section(
        number=sight.number,
        title=f"{page.title} #{page.number}",
        address=f"{settings.SITE_URL}{page.address}",
        sentences=tellings(notices, sight.names, match),
        button=_("Open the match") if asked else _("Have a look"),
        names=_others(sight),
        deadline=until(deadline, sight.now) if deadline else "",
        recap=recap,
        recap_left=len(page.recap) - len(recap) if asked else 0,
        todo=page.sentence if asked and page.my_turn else "",
        duties=_duties(page) if asked else (),
        otherwise=otherwise(match, notices[0].seat) if asked else "",
        places=page.places,
        picture=_board(sight) if with_picture and page.board and (asked or page.places) else b"",
        alt=_alt(page),
    )


def table_section(match: Match, notices: Sequence[Notice]) -> Section:
    """Tell about a table at which nobody plays yet, or never will."""
    invited = any(notice.kind == Notice.Kind.INVITED for notice in notices)
    names = [seat.name for seat in match.seats.all()]
    return Section(
        number=match.pk,
        title=str(match),
        address=f"{settings.SITE_URL}/matches/{match.pk}/"
        + (f"?link={match.link}" if invited else ""),
        sentences=tellings(notices, names, match),
        button=_("Look at the invitation") if invited else _("Have a look"),
        todo=str(match.game.summary) if invited else "",
        otherwise=_settings(match) if invited else "",
    )


def _settings(match: Match) -> str:
    """Say what kind of match somebody is invited to, and how long the invitation stands."""
    count = match.seats_wanted
    words = [ngettext("%(n)s player.", "%(n)s players.", count) % {"n": count}, *pace_words(match)]
    words += [f"{one}." for one in prose.chosen_otherwise(match.options, match.game.options)]
    if match.rated:
        words.append(_("The match counts for the rating."))
    if match.expires:
        words.append(_("The table closes on %(moment)s.") % {"moment": when(match.expires)})
    return " ".join(words)


def _asks(notice: Notice) -> bool:
    """Tell whether a notice asks its reader to move: also when a vacation only put that off."""
    is_mine = notice.about == notice.seat.index
    return notice.kind in ASKING or (notice.kind == Notice.Kind.VACATION_USED and is_mine)


def _others(sight: Sight) -> str:
    names = [name for seat, name in enumerate(sight.names) if seat != sight.seat]
    return _("with %(names)s") % {"names": get_text_list(names, _("and"))}


def _board(sight: Sight) -> bytes:
    return pictures.board(sight.game, sight.state.view(sight.seat), sight.names)


def _recap(page: Page) -> tuple[str, ...]:
    """Pick from what happened: first what touches the reader, then the latest of the rest."""
    touching = [sentence.text for sentence in page.recap if sentence.touches_me][:MOST_LINES]
    rest = [sentence.text for sentence in page.recap if not sentence.touches_me]
    return (*touching, *rest[max(0, len(rest) - MOST_LINES + len(touching)) :])


def _duties(page: Page) -> tuple[str, ...]:
    asked = page.sentence.rstrip(".")
    return tuple(duty.text for duty in page.duties if duty.is_open and duty.text != asked)


def _alt(page: Page) -> str:
    """Put the board into words for those who see no picture."""
    scores = [f"{chair.name} {chair.score}" for chair in page.chairs if chair.score is not None]
    words = [_("The board as you see it."), page.headline + "."]
    if scores:
        words.append(_("Points: %(scores)s.") % {"scores": ", ".join(scores)})
    return " ".join(words)


def otherwise(match: Match, seat: Seat) -> str:
    """Say what happens to somebody who does nothing until the deadline."""
    if seat.deadline is None:
        return _("No clock runs: take your time, but not for ever.")
    words = []
    if match.vacations and seat.user and seat.user.vacation_by_itself:
        words.append(
            _("If you do nothing until then, a day of your vacation is used if one is left.")
        )
    return " ".join([*words, _in_the_end(match, seat)])


def _in_the_end(match: Match, seat: Seat) -> str:
    """Say which step the ladder, or a match of two, takes next."""
    holders = Holder.objects.filter(seat__match=match, until=None).select_related("seat")
    if len(match.seats.all()) > 2:
        if is_last_miss(next(one for one in holders if one.seat.index == seat.index)):
            return _("If time runs out, a bot takes care of your seat until you are back.")
        return _(
            "If time runs out, a neutral turn is made for you; the second time in a row a bot "
            "takes care of your seat until you are back."
        )
    if is_too_soon(holders):
        return _("If time runs out, the match is cancelled: you have not both made two turns yet.")
    if match.courtesy:
        return _("If time runs out, your opponent may grant you more, or win the match.")
    return _("If time runs out, you lose the match.")


def until(deadline: datetime, now: datetime) -> str:
    """Word a deadline: weekday, day, local time and zone, and how long that is from now."""
    return f"{when(deadline)} ({from_now(deadline - now)})"


def from_now(left: timedelta) -> str:
    """Word the time that is left, never rounded up."""
    minutes = max(0, int(left.total_seconds()) // 60)
    if minutes >= 48 * 60:
        days, hours = minutes // 1440, minutes // 60 % 24
        return _("in %(days)s d %(hours)s h") % {"days": days, "hours": hours}
    if minutes >= 60:
        return _("in %(hours)s h") % {"hours": minutes // 60}
    return _("in %(minutes)s min") % {"minutes": minutes}


# --- the envelope ----------------------------------------------------------------------------


class Envelope(EmailMultiAlternatives):
    mixed_subtype = "related"  # what is attached are the pictures of the HTML


def message_of(letter: Letter) -> EmailMultiAlternatives:
    """Put a letter into an envelope: text, HTML with its pictures, and headers."""
    context = {"letter": letter, "links": _links(letter), "SITE_NAME": settings.SITE_NAME}
    text = render_to_string("mail/letter.txt", context)
    html = printed("mail/letter.html", context)
    message = Envelope(
        subject=letter.subject,
        body=text,
        to=[letter.to],
        reply_to=[settings.MAIL_REPLY_TO] if settings.MAIL_REPLY_TO else None,
        headers=headers_of(letter),
    )
    message.attach_alternative(html, "text/html")
    for section in letter.sections:
        if section.picture:
            message.attach(_inline(section))
    return message


def headers_of(letter: Letter) -> dict[str, str]:
    """Thread mails by a root that no mail has, and let programs unsubscribe with one click."""
    host, root = settings.SITE_HOST, f"<{letter.thread}@{settings.SITE_HOST}>"
    list_id = f"{letter.thread.partition('.')[0]}.mail.{host}"
    headers = {
        "Message-ID": message_id(letter.key),
        "References": root,
        "In-Reply-To": root,
        "List-ID": f'"{letter.subject}" <{list_id}>',
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
    }
    for _scope, stop in letter.tickets[:1]:
        headers["List-Unsubscribe"] = f"<{stop}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def message_id(key: str) -> str:
    return f"<{key}@{settings.SITE_HOST}>"


def _links(letter: Letter) -> dict[str, str]:
    links = {scope.value: address for scope, address in letter.tickets}
    return links | {"settings": f"{settings.SITE_URL}/accounts/settings/#notifications"}


def _inline(section: Section) -> MIMEImage:
    image = MIMEImage(section.picture, "png")
    image.add_header("Content-ID", f"<{section.cid}>")
    image.add_header("Content-Disposition", "inline", filename=f"{section.cid}.png")
    return image


def tickets_of(
    user: User, match: Match | None, stop: Scope = Scope.TURNS
) -> tuple[tuple[Scope, str], ...]:
    """Give a mail the addresses of the pages on which less mail is asked for."""
    kept = [(scope, ticket_address(scope, user=user)) for scope in (stop, Scope.SNOOZE)]
    if match is not None:
        kept.append((Scope.MATCH, ticket_address(Scope.MATCH, user=user, match=match.pk)))
    return (*kept, (Scope.ALL, ticket_address(Scope.ALL, user=user)))
