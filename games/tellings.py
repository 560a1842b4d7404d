"""Notices in words: what a mail says about each kind of event, in one or two sentences.

`about` names the seat an event happened to or came from; of one's own seat a mail speaks as "you".
"""

from collections.abc import Sequence

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.affairs import proposal_words
from games.models import Match, Notice
from games.prose import moment as when

Kind = Notice.Kind

MINE: dict[str, Promise] = {
    Kind.YOUR_TURN: gettext_lazy("It is your turn."),
    Kind.REMINDED_HALF: gettext_lazy("It is still your turn, and half of your time is gone."),
    Kind.REMINDED_LATE: gettext_lazy("It is still your turn, and most of your time is gone."),
    Kind.LAST_CHANCE: gettext_lazy("Last chance: it is your turn and your time is nearly up."),
    Kind.TIMED_OUT: gettext_lazy("Your time has run out."),
    Kind.CARETAKER: gettext_lazy(
        "A bot now takes care of your seat. You can take it back on the match page at any time."
    ),
    Kind.SUBSTITUTE_SOUGHT: gettext_lazy(
        "A substitute is sought for your seat. Until somebody comes you can still take it back."
    ),
    Kind.SUBSTITUTED: gettext_lazy("Somebody else has taken over your seat."),
    Kind.BACK: gettext_lazy("You are back at your seat."),
    Kind.VACATION_USED: gettext_lazy(
        "Your time was up, so a day of your vacation was used. The match waits for you a day more."
    ),
    Kind.LONE: gettext_lazy(
        "You are the only person left. On the match page you choose how it goes on."
    ),
    Kind.ASLEEP: gettext_lazy(
        "Nobody has moved for a long time. The match is asleep, and will be cancelled unless "
        "somebody moves."
    ),
    Kind.CANCELLED: gettext_lazy("The match was cancelled. It has no result."),
    Kind.PROPOSED: gettext_lazy("There was a proposal; it has been settled by now."),
    Kind.PAUSED: gettext_lazy("The match is paused; all clocks stand still."),
    Kind.STARTED: gettext_lazy("The match has started. We write again when it is your turn."),
    Kind.EXPIRED: gettext_lazy("The table was closed: not all seats were taken in time."),
    Kind.JOINED: gettext_lazy("Somebody has joined your table."),
    Kind.CHAT: gettext_lazy("There are new messages for you."),
    Kind.NUDGED: gettext_lazy("Somebody asks you to move when you can."),
}
THEIRS: dict[str, Promise] = {
    Kind.TIMED_OUT: gettext_lazy("The time of %(name)s has run out."),
    Kind.CARETAKER: gettext_lazy("A bot now takes care of the seat of %(name)s."),
    Kind.SUBSTITUTE_SOUGHT: gettext_lazy("A substitute is sought for the seat of %(name)s."),
    Kind.SUBSTITUTED: gettext_lazy("%(name)s has taken over a seat."),
    Kind.BACK: gettext_lazy("%(name)s is back."),
    Kind.VACATION_USED: gettext_lazy(
        "The time of %(name)s was up, so a day of vacation was used. Your match waits a day more."
    ),
    Kind.JOINED: gettext_lazy("%(name)s has joined your table."),
    Kind.NUDGED: gettext_lazy("%(name)s asks you to move when you can."),
    Kind.CHAT: gettext_lazy("%(name)s has written to you."),
}


def telling(notice: Notice, names: Sequence[str], match: Match) -> str:
    """Word a notice for its reader."""
    name = names[notice.about] if notice.about < len(names) else ""
    match notice.kind:
        case Kind.FINISHED:
            return _finished(notice)
        case Kind.INVITED:
            return _invited(match)
        case Kind.EXPIRES_SOON:
            return _expires(match)
        case Kind.PROPOSED if match.proposal:
            return " ".join((proposal_words(match, name), _("You answer on the match page.")))
    if notice.kind in THEIRS and notice.about != notice.seat.index and name:
        return str(THEIRS[notice.kind]) % {"name": name}
    return str(MINE.get(notice.kind, notice.get_kind_display()))


def _finished(notice: Notice) -> str:
    if notice.seat.rank is None:
        return _("The match is over.")
    return _("The match is over. You came in at place %(rank)s.") % {"rank": notice.seat.rank}


def _invited(match: Match) -> str:
    host = match.host.username if match.host else settings.SITE_NAME
    return _("%(host)s invites you to play.") % {"host": host}


def _expires(match: Match) -> str:
    """Say until when; a running match closes if nobody moves, a table if seats stay empty."""
    moment = when(match.expires) if match.expires else ""
    if match.status == Match.Status.OPEN:
        words = _("Your table closes on %(moment)s unless all seats are taken by then.")
    else:
        words = _("Nobody moves: the match is cancelled on %(moment)s unless somebody does.")
    return words % {"moment": moment}
