"""What programs may read and do: the same services and the same views as the pages have."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from config.limits import HOUR, NEW_MATCHES_PER_HOUR, spent
from games import prose, queries, services
from games.api.description import document
from games.api.gate import Answer, Turned, answered, refusal
from games.catalogue import Game, shelf
from games.chairs import players_of
from games.clock import DEFAULT_PACE, PACES
from games.engine.contract import Refused, write
from games.engine.session import Session
from games.models import Match, Seat
from games.services import Opponent
from games.story import Reader

Sent = dict[str, Any]
ENTRIES = 50


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """Give the description; it is the same for everybody."""
    return JsonResponse(document(settings.SITE_URL))


# --- reading ---------------------------------------------------------------------------------


def _me(user: User, sent: Sent) -> Answer:
    return {"name": user.username, "waiting": queries.turns_waiting_for(user)}


def _games(user: User, sent: Sent) -> Answer:
    return {"games": [_box(game) for game in shelf().values()], "paces": list(PACES)}


def _box(game: Game) -> dict[str, Any]:
    return {
        "game": game.slug,
        "title": str(game.title),
        "version": game.version,
        "seats": list(game.seats),
        "levels": list(game.levels),
        "options": [
            {
                "key": option.key,
                "label": str(option.label),
                "values": [choice.value for choice in option.choices],
                "default": option.default,
                "any_seat": option.any_seat,
            }
            for option in game.options
        ],
    }


def _matches(user: User, sent: Sent) -> Answer:
    found = queries.seats_held_by(user)
    if "status" in sent:
        found = found.filter(match__status=sent["status"])
    if "waiting" in sent:
        found = found.filter(bot="", to_act=True)
    if "before" in sent:
        found = found.filter(match__lt=sent["before"])
    seats = list(found[: ENTRIES + 1])
    entries = [_entry(seat) for seat in seats[:ENTRIES]]
    return {"matches": entries, "before": entries[-1]["id"] if len(seats) > ENTRIES else None}


def _entry(seat: Seat) -> dict[str, Any]:
    return {
        "id": seat.match_id,
        "game": seat.match.game_slug,
        "status": seat.match.status,
        "seat": seat.index,
        "my_turn": seat.to_act and seat.has_person,
        "deadline": seat.deadline and seat.deadline.isoformat(),
        "revision": seat.match.revision,
    }


def _one(user: User, sent: Sent, match_id: int) -> Answer:
    match = _opened(user, match_id, sent.get("link", ""))
    return None if sent.get("seen") == match.revision else _seen(match, user)


def _log(user: User, sent: Sent, match_id: int) -> Answer:
    match = _opened(user, match_id)
    mine = queries.seat_of(match, user)
    reader = Reader(match.game, players_of(match), mine.index if mine else None)
    return {
        "lines": [
            {
                "key": told.line.key,
                "args": told.line.args,
                "text": prose.say(match.game, told.line, reader.names_at(told)),
                "seat": told.seat,
                "by": told.by,
            }
            for told in queries.whole_log_of(match, reader.seat)
        ]
    }


# --- doing -----------------------------------------------------------------------------------


def _open(user: User, sent: Sent) -> Answer:
    game = shelf().get(sent["game"])
    with _in_words(game):
        if spent("begun", f"user-{user.pk}", most=NEW_MATCHES_PER_HOUR, seconds=HOUR):
            raise Refused("too_often")
        opponents = [Opponent(one["kind"], one.get("who", "")) for one in sent["opponents"]]
        match = services.match_create(
            user=user,
            game=sent["game"],
            opponents=opponents,
            options=sent.get("options", {}),
            pace=sent.get("pace", DEFAULT_PACE),
            rated=sent.get("rated", False),
            least_in_time=sent.get("least_in_time"),
            private=sent.get("private", False),
        )
    return _seen(_found(user, match.pk), user)


def _move(user: User, sent: Sent, match_id: int) -> Answer:
    match = _found(user, match_id)
    with _in_words(match.game, match):
        seat = _seat(match, user)
        services.match_play(match_id=match_id, seat=seat, token=sent["token"], text=sent["move"])
    return _seen(_found(user, match_id), user)


def _undo(user: User, sent: Sent, match_id: int) -> Answer:
    match = _found(user, match_id)
    with _in_words(match.game, match):
        seat = _seat(match, user)
        whole_turn = sent.get("whole_turn", False)
        services.match_undo(
            match_id=match_id, seat=seat, token=sent["token"], whole_turn=whole_turn
        )
    return _seen(_found(user, match_id), user)


def _join(user: User, sent: Sent, match_id: int) -> Answer:
    link = sent.get("link", "")
    match = _found(user, match_id, link)
    with _in_words(match.game, match):
        services.match_join(match_id=match_id, user=user, link=link)
    return _seen(_found(user, match_id), user)


def _resign(user: User, sent: Sent, match_id: int) -> Answer:
    match = _found(user, match_id)
    with _in_words(match.game, match):
        services.match_resign(match_id=match_id, user=user)
    return _seen(_found(user, match_id), user)


# --- parts -----------------------------------------------------------------------------------


def _found(user: User, match_id: int, link: str = "") -> Match:
    match = queries.match_with_seats(match_id)
    if match is None or not queries.may_watch(match, user, link):
        raise Turned(404, "gone", _("There is nothing here."))
    return match


def _opened(user: User, match_id: int, link: str = "") -> Match:
    """Find a match to be looked at: who opens one in which time is up makes it so, as on a page."""
    match = _found(user, match_id, link)
    if services.match_catch_up(match=match, now=timezone.now()):
        return _found(user, match_id, link)
    return match


def _seat(match: Match, user: User) -> int:
    mine = queries.seat_of(match, user)
    if mine is None:
        raise Refused("not_seated")
    return mine.index


@contextmanager
def _in_words(game: Game | None, match: Match | None = None) -> Iterator[None]:
    """Turn a refusal of the rules or of the site into an answer."""
    try:
        yield
    except Refused as refused:
        names = [seat.name for seat in match.seats.all()] if match else []
        raise refusal(refused, game, names) from None


def _seen(match: Match, user: User) -> dict[str, Any]:
    """Tell a match as this user may see it: as a seat, or as anybody who watches."""
    mine = queries.seat_of(match, user)
    return {
        "id": match.pk,
        "game": match.game_slug,
        "version": match.version,
        "options": match.options,
        "status": match.status,
        "pace": match.pace_slug,
        "private": match.private,
        "least_in_time": match.least_in_time,
        "commitment": match.commitment,
        "revision": match.revision,
        "seat": mine.index if mine else None,
        "players": [_player(one) for one in match.seats.all()],
        **_position(match, mine, queries.session_of(match) if match.snapshot else None),
    }


def _position(match: Match, mine: Seat | None, session: Session | None) -> dict[str, Any]:
    if session is None:
        return {"token": "", "to_act": [], "can_undo": False, "view": None, "moves": []}
    called = session.state.to_act() if match.status == Match.Status.RUNNING else []
    seat, moves = mine.index if mine else None, []
    if mine and mine.has_person and mine.index in called:  # else a caretaker moves
        moves = session.state.legal(mine.index)
    return {
        "token": "" if seat is None else session.token(seat),
        "to_act": called,
        "can_undo": any(mover == seat for mover, _draft in session.drafts),
        "view": session.state.view(seat),
        "moves": [write(move) for move in moves],
    }


def _player(seat: Seat) -> dict[str, Any]:
    return {
        "seat": seat.index,
        "name": seat.name,
        "bot": seat.bot,
        "taken": seat.is_taken,
        "deadline": seat.deadline and seat.deadline.isoformat(),
        "score": seat.score,
        "rank": seat.rank,
    }


me = answered("/api/me/")({"get": _me})
games = answered("/api/games/")({"get": _games})
matches = answered("/api/matches/")({"get": _matches, "post": _open})
match = answered("/api/matches/{match_id}/")({"get": _one})
log = answered("/api/matches/{match_id}/log/")({"get": _log})
move = answered("/api/matches/{match_id}/move/")({"post": _move})
undo = answered("/api/matches/{match_id}/undo/")({"post": _undo})
join = answered("/api/matches/{match_id}/join/")({"post": _join})
resign = answered("/api/matches/{match_id}/resign/")({"post": _resign})
