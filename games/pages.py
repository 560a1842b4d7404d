"""What the match pages are made of: a position and some rows become plain values for templates.

A template gets a Page and a drawing and nothing else. The position stays on this side: it is only
asked for view(), legal(), to_act() and why_not() of the seat that looks. No seed, no snapshot.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games import chairs, choices, prose, story
from games.affairs import Affairs, affairs_of
from games.catalogue import Game, Scene, Texts, template_of
from games.chairs import Chair, Clock, Place, Player
from games.choices import Held, Verb
from games.engine.contract import Move, Refused, State, View, matches, read, write
from games.engine.session import Session
from games.models import Match
from games.queries import LOG_LENGTH, Told, log_of, session_of
from games.story import Reader, Sentence, Turn

POLL, POLL_THINKING = 15, 1  # seconds


@dataclass(frozen=True, kw_only=True)
class Sight:
    """All that a match page is made from: the position, who looks at it, and what was said."""

    game: Game
    state: State
    seat: int | None  # None: a spectator
    players: tuple[Player, ...]
    log: Sequence[Told] = ()  # only what this seat may read
    status: str = Match.Status.RUNNING
    ending: str = ""  # why it is over, in words, if it was not played to its end
    affairs: Affairs = field(default_factory=Affairs)
    number: int = 0  # of the match
    place: str = ""  # its address, if it is not a match of that number
    revision: int = 0
    token: str = ""
    drafts: bool = False  # this seat has something to take back
    hold: str = ""
    refused: Refused | None = None
    only: Sequence[Move] | None = None  # of the legal moves, those that a lesson asks for
    link: str = ""  # the secret part of its address, by which a stranger came to a private match
    variants: tuple[str, ...] = ()  # in which the rules differ from those of the box
    now: datetime = field(default_factory=timezone.now)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @property
    def sleeps(self) -> bool:
        """All have gone: bots hold every seat, and none of them moves."""
        return self.is_running and all(player.level for player in self.players)

    @property
    def address(self) -> str:
        return self.place or f"/matches/{self.number}/"

    @property
    def is_running(self) -> bool:
        return self.status == Match.Status.RUNNING

    def called(self) -> list[int]:
        return self.state.to_act() if self.is_running else []

    def moves(self) -> list[Move]:
        seat = self.seat
        if seat is None or seat not in self.called() or self.players[seat].is_away:
            return []
        return self.state.legal(seat) if self.only is None else list(self.only)

    def why_not(self, move: Move) -> Refused:
        """Say why something is not offered: by the rules, or since a lesson asks for another."""
        seat = self.seat or 0
        if self.only is not None and any(matches(move, one) for one in self.state.legal(seat)):
            return Refused("other_move")
        return self.state.why_not(seat, move)


def sight_of(
    match: Match,
    seat: int | None,
    *,
    session: Session | None = None,
    hold: str = "",
    refused: Refused | None = None,
) -> Sight:
    """Put together what one seat (None: a spectator) may see of a match."""
    session, now = session or session_of(match), timezone.now()
    mine = None if seat is None else match.seats.all()[seat]
    return Sight(
        game=match.game,
        state=session.state,
        seat=seat,
        players=chairs.players_of(match),
        log=log_of(match, seat),
        status=match.status,
        ending=match.get_ending_display(),
        affairs=affairs_of(match, mine, now),
        variants=tuple(prose.changed_rules(match.game, match.options)),
        now=now,
        number=match.pk,
        revision=match.revision,
        token="" if seat is None else session.token(seat),
        drafts=any(mover == seat for mover, _move in session.drafts),
        hold=hold,
        refused=refused,
    )


class Duty(NamedTuple):
    text: str
    is_open: bool
    left: int


class End(NamedTuple):
    """The button that ends the turn, and why it cannot be pressed."""

    move: str
    label: str
    barred: str = ""  # empty: it can


class Refusal(NamedTuple):
    text: str
    anchor: str  # of its paragraph in the help page; empty: a refusal of the site


@dataclass(frozen=True, kw_only=True)
class Page:
    """Everything around the board."""

    slug: str
    title: str
    address: str
    number: int
    revision: int
    status: str
    token: str
    seat: int | None
    link: str
    poll: int  # seconds until the page should look again; 0: never
    headline: str
    sentence: str
    clock: Clock | None  # of whom the match waits for: mine, if it waits for me
    my_turn: bool
    chairs: tuple[Chair, ...]
    verbs: tuple[Verb, ...]
    duties: tuple[Duty, ...]
    end: End | None
    can_undo: bool
    hold: str
    held: Held | None
    refusal: Refusal | None
    recap: tuple[Sentence, ...]
    recap_from: int  # the line it begins with
    turns: tuple[Turn, ...]
    log_is_cut: bool  # there is more of it than is printed
    places: tuple[Place, ...]
    plays: bool  # the viewer has a seat in a running match
    affairs: Affairs
    variants: tuple[str, ...]
    board: str  # its template; empty: this game has none yet
    symbols: str  # the template of what its drawings share; empty: none

    @property
    def rules(self) -> str:
        return f"/rules/{self.slug}/"


# --- making it -------------------------------------------------------------------------------


def fragment(sight: Sight, request: HttpRequest | None = None) -> str:
    """Print what a viewer sees of a match: the part of the page that is swapped."""
    return render_to_string("games/_table.html", context_of(sight), request)


def context_of(sight: Sight) -> dict[str, Any]:
    """Give the template what it prints: a Page and the drawing of the board."""
    moves = sight.moves()
    view = sight.state.view(sight.seat)
    hold, refused = _picked_up(sight, moves)
    reader = Reader(sight.game, sight.players, sight.seat)
    news = story.news(reader, sight.log)
    recap = tuple(told.line for told in news if told.move)  # nothing the site itself has said
    scene = Scene(view, moves, hold, recap, sight.names)
    page = Page(
        **_match(sight, view),
        **_turn(sight, view, moves),
        **_choice(sight, view, moves, hold, refused),
        **_story(sight, reader, news),
    )
    return {"page": page, "drawing": sight.game.board(scene)}


def _match(sight: Sight, view: View) -> dict[str, Any]:
    called = sight.called()
    return {
        "slug": sight.game.slug,
        "title": str(sight.game.title),
        "address": sight.address,
        "number": sight.number,
        "revision": sight.revision,
        "status": sight.status,
        "token": sight.token,
        "seat": sight.seat,
        "link": sight.link,
        "plays": sight.is_running and sight.seat is not None,
        "affairs": sight.affairs,
        "variants": sight.variants,
        "poll": _poll(sight),
        "chairs": chairs.chairs(sight.players, view, sight.seat, called, sight.now),
        "clock": chairs.clock_of_the_match(sight.players, sight.seat, called, sight.now),
        "board": template_of(sight.game.slug, "board"),
        "symbols": template_of(sight.game.slug, "_symbols"),
    }


def _poll(sight: Sight) -> int:
    if not sight.is_running:
        return 0
    thinking = not sight.sleeps and any(sight.players[seat].level for seat in sight.called())
    return POLL_THINKING if thinking else POLL


def _story(sight: Sight, reader: Reader, news: Sequence[Told]) -> dict[str, Any]:
    return {
        "recap": story.recap(reader, news) if sight.seat is not None else (),
        "recap_from": min((told.number for told in news if told.move), default=0),
        "turns": story.turns(reader, sight.log),
        "log_is_cut": len(sight.log) >= LOG_LENGTH,
    }


# --- what can be done ------------------------------------------------------------------------


def _picked_up(sight: Sight, moves: list[Move]) -> tuple[Move, Refused | None]:
    """Read what the viewer holds; what fits no legal move is dropped and refused in words."""
    if not sight.hold or sight.seat is None:
        return (), sight.refused
    try:
        hold = read(sight.hold)
    except Refused as refused:
        return (), refused
    if any(matches(hold, move) for move in moves):
        return hold, sight.refused
    return (), sight.refused or sight.why_not(hold)


def _choice(
    sight: Sight, view: View, moves: list[Move], hold: Move, refused: Refused | None
) -> dict[str, Any]:
    game, names = sight.game, sight.names
    return {
        "verbs": choices.verbs(choices.Reader(game, view, names), moves, hold),
        "can_undo": sight.drafts,
        "hold": write(hold),
        "held": choices.held(game, hold, moves, names) if hold else None,
        "refusal": refusal_of(game, refused, names) if refused else None,
    }


def refusal_of(game: Game, refused: Refused, names: Sequence[str]) -> Refusal:
    """Word why something is not possible, and say where the rules tell more."""
    anchor = f"refusal-{refused.key}" if refused.key in game.texts.refusals else ""
    return Refusal(prose.refuse(refused, game, names), anchor)


# --- what must be done -----------------------------------------------------------------------


def _turn(sight: Sight, view: View, moves: list[Move]) -> dict[str, Any]:
    is_over = sight.status == Match.Status.FINISHED
    places = chairs.places(sight.game, sight.players, view, sight.seat) if is_over else ()
    duties = _duties(sight.game, view) if moves else ()
    end = _end(sight, moves)
    if sight.status == Match.Status.CANCELLED:
        no_result = _("This match was called off. It has no result.")
        words = _("Cancelled"), _because(no_result, sight.ending)
    elif is_over:
        words = _("The match has ended"), _because(chairs.outcome(places), sight.ending)
    elif moves:
        words = _("Your turn"), _asked(sight.game, view) or _due(duties, end)
    else:
        words = _awaited(sight)
    return {
        "my_turn": bool(moves),
        "headline": words[0],
        "sentence": words[1],
        "duties": duties,
        "end": end,
        "places": places,
    }


def _because(sentence: str, reason: str) -> str:
    return sentence + " " + _("Reason: %(reason)s.") % {"reason": reason} if reason else sentence


def _duties(game: Game, view: View) -> tuple[Duty, ...]:
    """List what a turn still owes, in the game's words for it."""
    words = game.texts.names
    return tuple(
        Duty(str(words[f"duty_{duty['key']}"]), duty["open"], duty["left"])
        for duty in view.get("duties", ())
        if f"duty_{duty['key']}" in words
    )


def _end(sight: Sight, moves: list[Move]) -> End | None:
    """Find the button that ends the turn; it stays at its place when it cannot be pressed."""
    end = choices.end_of(sight.game, moves)
    if end is None or sight.seat is None or not sight.is_running:
        return None
    usual = end[0] in Texts.ends
    label = _("End turn") if usual else prose.label(sight.game, end, sight.names)
    if end in moves:
        return End(write(end), label)
    refused = sight.why_not(end)
    return End(write(end), label, prose.refuse(refused, sight.game, sight.names))


def _asked(game: Game, view: View) -> str:
    """Give the game's own words for what the moment asks, if it has any."""
    return str(game.texts.names[view["ask"]]) if view.get("ask") else ""


def _due(duties: Sequence[Duty], end: End | None) -> str:
    """Say what the turn still asks for: what keeps it from ending, in the rules' own words."""
    if end is None:
        return next((duty.text for duty in duties if duty.is_open), _("Choose your move."))
    return end.barred or _("Do more if you like, or end your turn.")


def _awaited(sight: Sight) -> tuple[str, str]:
    """Say whom the match waits for."""
    called = sight.called()
    names = get_text_list([sight.names[seat] for seat in called], _("and"))
    if sight.sleeps:
        sentence = _("The match sleeps until somebody comes back.")
    elif len(called) == 1 and sight.players[called[0]].level:
        sentence = _("%(name)s is thinking.") % {"name": names}
    else:
        sentence = _("Waiting for %(names)s.") % {"names": names}
    for player in (sight.players[seat] for seat in called):
        if player.vacation and not player.level:
            until = {"name": player.name, "time": prose.moment(player.vacation)}
            sentence += " " + _("%(name)s is on vacation until %(time)s.") % until
    if sight.drafts:
        return _("You have chosen"), sentence
    if len(called) > 1:
        return _("Players choose") if sight.seat is None else _("Others choose"), sentence
    return _("%(name)s to move") % {"name": names}, sentence


# --- looking back ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Step:
    """A moment of a match that is looked at again: a view, not the position itself."""

    game: Game
    view: View
    seat: int | None
    players: tuple[Player, ...]
    said: Sequence[Told]  # at this move
    log: Sequence[Told]  # of the whole match
    numbers: Mapping[int, int]  # of the moves, by the number they are stored under
    match: int
    at: int
    eyes: str = ""  # through whose eyes it is looked at, as the address says it
    link: str = ""
    move: int = 0  # the number the last move is stored under

    @property
    def names(self) -> tuple[str, ...]:
        """Name those who sat there when the move was made."""
        return tuple(player.at_move(self.move).name for player in self.players)


def replay_of(step: Step) -> dict[str, Any]:
    """Give the template of the replay what it prints."""
    game, last = step.game, len(step.numbers)
    kept = {key: value for key, value in (("as", step.eyes), ("link", step.link)) if value}
    reader = Reader(game, step.players, step.seat)
    scene = Scene(step.view, [], (), tuple(told.line for told in step.said), step.names)
    return {
        "drawing": game.board(scene),
        "board": template_of(game.slug, "board"),
        "symbols": template_of(game.slug, "_symbols"),
        "title": str(game.title),
        "number": step.match,
        "address": f"/matches/{step.match}/",
        "at": step.at,
        "as": step.eyes,
        "link": step.link,
        "kept": f"&{urlencode(kept)}",
        "last": last,
        "previous": max(0, step.at - 1),
        "next": min(last, step.at + 1),
        "said": story.sentences(reader, step.said),
        "turns": story.chapters(reader, step.log, step.numbers),
    }
