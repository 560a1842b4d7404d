"""Looking back: a match move by move, and whether it was dealt fairly.

While a match runs its replay shows what the viewer could see at the time; once it has ended all
is open, and so is the seed.
"""

from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import chairs, pages, queries
from games.engine.contract import OPEN
from games.models import Match
from games.views.matches import found, link_of
from games.views.previews import Preview, preview_of

ALL, NOBODY = "all", "nobody"  # eyes besides those of the seats
DIFFERENCES = {
    "moves": gettext_lazy("A recorded move is refused by the rules of today."),
    "position": gettext_lazy("The final position is a different one."),
    "result": gettext_lazy("The result is a different one."),
}


class Eyes(NamedTuple):
    """Through whose eyes a finished match can be looked at."""

    value: str
    label: str
    is_chosen: bool


@require_safe
@never_cache
def replay(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show a match after its n-th move."""
    match = found(request, match_id)
    if not match.snapshot:
        raise Http404
    step = step_of(request, match)
    is_over = match.status == Match.Status.FINISHED
    context = pages.replay_of(step) | {
        "eyes": _choices(match, step),
        "preview": _preview(request, match, step),
        "record": reverse("match_record", args=[match.pk]) if is_over else "",
    }
    template = "_replay" if request.htmx else "replay"  # type: ignore[attr-defined]
    return render(request, f"games/{template}.html", context)


def step_of(request: HttpRequest, match: Match) -> pages.Step:
    """Find the moment of a match that is asked for, as this visitor may see it."""
    moves, eyes = queries.record_of(match), _eyes(request, match)
    seat = int(eyes) if eyes.isdecimal() else None
    log, ends = queries.whole_log_of(match, seat), queries.steps_of(match, moves, seat)
    steps = [moves[end - 1].pk for end in ends]
    at = _step(request, steps, log)
    state = queries.position_after(match, moves[: ends[at - 1] if at else 0]).state
    return pages.Step(
        game=match.game,
        view=state.view(OPEN if eyes == ALL else seat),
        seat=seat,
        players=chairs.players_of(match),
        said=queries.lines_of(match, steps[at - 1] if at else None, seat),
        move=steps[at - 1] if at else 0,
        log=log,
        numbers={move: number for number, move in enumerate(steps, 1)},
        match=match.pk,
        at=at,
        eyes=eyes,
        link=link_of(request, match),
    )


def _preview(request: HttpRequest, match: Match, step: pages.Step) -> Preview:
    """Give the addresses of this very position and of its picture, to be passed on.

    A private match that is over can be shown to others by those who played it.
    """
    is_over = match.status == Match.Status.FINISHED
    mine = queries.seat_of(match, request.user)
    link = match.link if match.private and is_over and mine else step.link
    named = {"at": str(step.at), "as": step.eyes if is_over else "", "link": link}
    return preview_of(request, match, "match_replay", **named)


def _step(request: HttpRequest, steps: list[int], log: list[queries.Told]) -> int:
    """Read which step is asked for, by its number or by a line; the last one, if none is."""
    at, line = request.GET.get("at", ""), request.GET.get("line", "")
    if line.isdecimal():
        moves = [told.move for told in log if str(told.number) == line]
        return next((number for number, one in enumerate(steps, 1) if one in moves), len(steps))
    return min(int(at[:6]), len(steps)) if at[:6].isdecimal() else len(steps)


def _eyes(request: HttpRequest, match: Match) -> str:
    """Say through whose eyes to look: while the match runs, only through the viewer's own."""
    mine = queries.seat_of(match, request.user)
    if match.status != Match.Status.FINISHED:
        return str(mine.index) if mine else NOBODY
    asked = request.GET.get("as", ALL)
    known = {ALL, NOBODY, *(str(seat.index) for seat in match.seats.all())}
    return asked if asked in known else ALL


def _choices(match: Match, step: pages.Step) -> list[Eyes]:
    if match.status != Match.Status.FINISHED:
        return []
    labels = {ALL: _("everything open")}
    labels |= {
        str(seat): _("as %(name)s saw it") % {"name": name} for seat, name in enumerate(step.names)
    }
    labels |= {NOBODY: _("as a spectator saw it")}
    return [Eyes(value, label, value == step.eyes) for value, label in labels.items()]


@require_safe
@never_cache
def check(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show the promise made at the start and, after the end, whether it was kept."""
    match = found(request, match_id)
    context: dict[str, object] = {
        "title": str(match),
        "address": f"/matches/{match.pk}/",
        "link": link_of(request, match),
        "commitment": match.commitment,
        "finished": match.status == Match.Status.FINISHED,
    }
    if match.status == Match.Status.FINISHED:
        moves = queries.record_of(match)
        context |= {
            "seed": match.seed,
            "record": "\n".join(f"{move.seat}: {move.text}" for move in moves),
            "count": len(moves),
            "options": ", ".join(f"{key} = {value}" for key, value in match.options.items()),
            "seats": len(match.seats.all()),
            "differences": [DIFFERENCES[one.key] for one in queries.differences(match)],
        }
    return render(request, "games/check.html", context)
