"""Notices in words: what a mail says about each kind of event, in one or two sentences.

`about` names the seat an event happened to or came from; of one's own seat a mail speaks as "you".
"""

from collections.abc import Sequence

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.affairs import proposal_words
from games.models import Holder, Match, Notice
from games.prose import moment as when
from games.verdicts import TURNS

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
    Kind.PLAYS_ON: gettext_lazy("You play on against bots."),
    Kind.GRANTED: gettext_lazy("You have been granted time for another turn."),
    Kind.PROPOSED: gettext_lazy("There was a proposal; it has been settled by now."),
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
    Kind.LONE: gettext_lazy(
        "Only %(name)s is left, and may end the match. Until then you can take your seat back."
    ),
    Kind.PLAYS_ON: gettext_lazy(
        "%(name)s, the only one left, plays on against bots. Your seat is no longer yours."
    ),
    Kind.GRANTED: gettext_lazy("%(name)s grants you time for another turn."),
    Kind.JOINED: gettext_lazy("%(name)s has joined your table."),
    Kind.NUDGED: gettext_lazy("%(name)s asks you to move when you can."),
    Kind.CHAT: gettext_lazy("%(name)s has written to you."),
}

MY_LEAVING: dict[str, Promise] = {
    Holder.Ended.RESIGNED: gettext_lazy(
        "You have resigned, and a bot now takes care of your seat. Until somebody takes it over "
        "you can come back on the match page."
    ),
    Holder.Ended.AWAY: gettext_lazy(
        "Your vacation has held up a turn for a week, so a bot takes care of your seat meanwhile."
    ),
}
THEIR_LEAVING: dict[str, Promise] = {
    Holder.Ended.RESIGNED: gettext_lazy(
        "%(name)s has resigned, and a bot now takes care of the seat."
    ),
    Holder.Ended.AWAY: gettext_lazy(
        "The vacation of %(name)s has held up a turn for a week, so a bot takes care of the seat "
        "meanwhile."
    ),
}


def tellings(notices: Sequence[Notice], names: Sequence[str], match: Match) -> tuple[str, ...]:
    """Word the notices of one match, the most pressing first, each knowing what the others say."""
    replaced = {notice.about for notice in notices if notice.kind == Kind.CARETAKER}
    calls = [notice for notice in notices if notice.kind in TURNS]
    told = [
        telling(notice, names, match, has_caretaker=notice.about in replaced)
        for notice in notices
        if notice not in calls[1:]  # the first says it all
    ]
    if any(notice.kind == Kind.JOINED for notice in notices):
        told.append(_missing(match))
    return tuple(dict.fromkeys(told))


def telling(
    notice: Notice, names: Sequence[str], match: Match, *, has_caretaker: bool = False
) -> str:
    """Word a notice for its reader."""
    name = names[notice.about] if notice.about < len(names) else ""
    if notice.who:  # whoever sits there by now
        name = notice.who.username
    match notice.kind:
        case Kind.FINISHED:
            return _finished(notice, match)
        case Kind.CANCELLED:
            return _because(_("The match was cancelled. It has no result."), match)
        case Kind.TIMED_OUT if match.status == Match.Status.RUNNING and not has_caretaker:
            return _timed_out(notice, name, match)
        case Kind.INVITED:
            return _invited(notice, match)
        case Kind.EXPIRES_SOON:
            return _expires(notice, match)
        case Kind.CARETAKER:
            return _replaced(notice, name)
        case Kind.SUBSTITUTED if notice.about != notice.seat.index:
            return _substituted(notice, name)
        case Kind.ASLEEP | Kind.PAUSED:
            return _standing_still(notice, match)
        case Kind.PROPOSED if match.proposal:
            return " ".join((proposal_words(match, name), _("You answer on the match page.")))
    return _said(notice, name)


def _said(notice: Notice, name: str) -> str:
    if notice.kind in THEIRS and notice.about != notice.seat.index and name:
        return str(THEIRS[notice.kind]) % {"name": name}
    return str(MINE.get(notice.kind, notice.get_kind_display()))


def _finished(notice: Notice, match: Match) -> str:
    ranks, mine = [seat.rank for seat in match.seats.all()], notice.seat.rank
    over = _("The match is over.")
    if mine is None:
        return _because(over, match)
    place = {"rank": mine, "seats": len(ranks)}
    if notice.seat.has_caretaker:
        words = _("The bot in your place came in at place %(rank)s of %(seats)s.") % place
    elif mine > 1:
        words = _("You came in at place %(rank)s of %(seats)s.") % place
    else:
        words = _("You have won.") if ranks.count(1) == 1 else _("You share the victory.")
    return _because(f"{over} {words}", match)


def _because(words: str, match: Match) -> str:
    if not match.ending:
        return words
    return f"{words} {_('Reason: %(reason)s.') % {'reason': match.get_ending_display()}}"


def _timed_out(notice: Notice, name: str, match: Match) -> str:
    """Say what follows: among more than two the clock has played, of two one is asked."""
    is_mine = notice.about == notice.seat.index
    if len(match.seats.all()) > 2 and is_mine:
        return _("Your time has run out, so a neutral turn was made for you.")
    if len(match.seats.all()) > 2:
        words = _("The time of %(name)s has run out: the clock made a neutral turn.")
        return words % {"name": name}
    if is_mine:
        return _("Your time is up. Move now, unless your opponent claims the win.")
    words = _("The time of %(name)s is up. On the match page you grant more, or claim the win.")
    return words % {"name": name}


def _replaced(notice: Notice, name: str) -> str:
    """Say why a bot plays; that time has run out is told by itself."""
    held = Holder.objects.filter(seat__match=notice.seat.match_id, seat__index=notice.about)
    left = held.filter(user=notice.who_id).last()
    about = MY_LEAVING if notice.about == notice.seat.index else THEIR_LEAVING
    if left is None or left.ended not in about:
        return _said(notice, name)
    return str(about[left.ended]) % {"name": name}


def _substituted(notice: Notice, name: str) -> str:
    held = Holder.objects.filter(seat__match=notice.seat.match_id, seat__index=notice.about)
    former = held.filter(substituted=True).last()
    if former is None or not former.name:
        return _said(notice, name)
    words = _("%(name)s has taken over the seat of %(former)s.")
    return words % {"name": name, "former": former.name}


def _invited(notice: Notice, match: Match) -> str:
    host = match.host.username if match.host else settings.SITE_NAME
    words = _("%(host)s invites you to play.") % {"host": host}
    if not notice.seat.invitee_email:
        return words
    site = _("On %(site)s people play board games in the browser, one turn at a time.")
    return f"{words} {site % {'site': settings.SITE_NAME}}"


def _missing(match: Match) -> str:
    missing = sum(not seat.is_taken for seat in match.seats.all())
    words = ngettext("Waiting for %(n)s more player.", "Waiting for %(n)s more players.", missing)
    return words % {"n": missing}


def _expires(notice: Notice, match: Match) -> str:
    """Say until when; a running match closes if nobody moves, a table if seats stay empty."""
    moment = when(match.expires) if match.expires else ""
    if match.asleep:
        words = _(
            "Still nobody plays: the match is cancelled on %(moment)s unless one of you comes back."
        )
    elif match.status == Match.Status.OPEN:
        words = _closing(notice, match)
    else:
        words = _("Nobody moves: the match is cancelled on %(moment)s unless somebody does.")
    return words % {"moment": moment}


def _closing(notice: Notice, match: Match) -> str:
    """Tell of an open table what its end means to its reader."""
    if notice.seat.user_id is None:
        return _("You have not answered yet. The invitation stands until %(moment)s.")
    if notice.reader_id == match.host_id:
        return _("Your table closes on %(moment)s unless all seats are taken by then.")
    return _("The table closes on %(moment)s unless all seats are taken by then.")


def _standing_still(notice: Notice, match: Match) -> str:
    """Say until when a match is paused, or when one that sleeps is cancelled."""
    if notice.kind == Kind.ASLEEP and match.expires:
        words = _(
            "Nobody plays any more. The match is cancelled on %(moment)s unless one of you "
            "comes back."
        )
        return words % {"moment": when(match.expires)}
    if notice.kind == Kind.ASLEEP:
        return _("Nobody played any more, and the match fell asleep.")
    if not match.pauses:
        return _("The match is paused; all clocks stand still.")
    words = _(
        "The match is paused until %(moment)s: all clocks stand still. You may move all the same."
    )
    return words % {"moment": when(max(end for _begin, end in match.pause_spans))}
