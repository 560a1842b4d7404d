"""The match page and what is done on it.

One address gives the page, or the part of it that htmx swaps, or nothing when nothing changed.
Every change goes to services; a refusal comes back as the present board with the reason.
"""

from collections.abc import Callable
from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.middleware import prefer, wordless
from accounts.models import User
from config.posts import posted_from
from games import pages, prose, queries, services
from games.engine.contract import Refused
from games.engine.session import Session
from games.models import Match
from games.views import lessons, tables
from games.views.guests import to_login
from games.views.previews import preview_of
from games.views.talk import talk_of

STATUSES = {"stale": 409, "not_seated": 403}  # of a refusal; any other is 422
Change = Callable[[User], services.Change]  # by the player who asks for it


@wordless
@require_safe
@never_cache
def match_page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show a match; a poll that has seen the present revision costs one query and no words."""
    seen = request.GET.get("seen")
    if seen is not None and seen == str(queries.revision_of(match_id)):
        return HttpResponse(status=204)
    prefer(request)
    match = found(request, match_id)
    if match.status == Match.Status.OPEN:
        return tables.table_page(request, match)
    return show(request, match, hold=request.GET.get("hold", ""))


@posted_from("match", "match_id")
def play(request: HttpRequest, match_id: int) -> HttpResponse:
    """Make a move."""
    return _change(
        request,
        match_id,
        lambda user: services.match_play(
            match_id=match_id,
            seat=user,
            token=request.POST.get("token", ""),
            text=request.POST.get("move", ""),
        ),
    )


@posted_from("match", "match_id")
def undo(request: HttpRequest, match_id: int) -> HttpResponse:
    return _take_back(request, match_id, whole_turn=False)


@posted_from("match", "match_id")
def restart(request: HttpRequest, match_id: int) -> HttpResponse:
    return _take_back(request, match_id, whole_turn=True)


def _take_back(request: HttpRequest, match_id: int, *, whole_turn: bool) -> HttpResponse:
    return _change(
        request,
        match_id,
        lambda user: services.match_undo(
            match_id=match_id,
            seat=user,
            token=request.POST.get("token", ""),
            whole_turn=whole_turn,
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Ask first; then it is lost, or a caretaker takes the seat."""
    if not isinstance(request.user, User):
        return to_login(request, match_id)
    match = found(request, match_id)
    if queries.seat_of(match, request.user) is None:
        return show(request, match, refused=Refused("not_seated"))
    if request.method != "POST":
        return _resign_page(request, match)
    try:
        services.match_resign(match_id=match_id, user=request.user)
    except Refused as refused:
        return show(request, match, refused=refused)
    messages.success(request, _("You have left %(match)s.") % {"match": match})
    return redirect("my_matches")


def _resign_page(request: HttpRequest, match: Match) -> HttpResponse:
    """Say what resigning means here."""
    if match.status != Match.Status.RUNNING:
        return redirect(_address(match.pk))
    others = [seat for seat in match.seats.all() if seat.user_id != request.user.pk]
    page = {
        "title": str(match),
        "address": _address(match.pk),
        "lone": not any(seat.user_id for seat in others),
        "duel": len(others) == 1,
    }
    return render(request, "games/resign.html", page)


@posted_from("match", "match_id")
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Open a table like this one for the same people."""
    if not isinstance(request.user, User):
        return to_login(request, match_id)
    match = found(request, match_id)
    try:
        again = services.match_rematch(match_id=match_id, user=request.user)
    except Refused as refused:
        return show(request, match, refused=refused)
    return redirect(_address(again.pk))


@require_safe
def next_match(request: HttpRequest) -> HttpResponse:
    """Go to the match with least time left; from one that is left undecided, to the one after."""
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    waiting = list(queries.matches_waiting_for(request.user).values_list("pk", flat=True))
    after = request.GET.get("after", "")
    here = next((place for place, pk in enumerate(waiting) if str(pk) == after), -1)
    if not waiting or (here >= 0 and len(waiting) == 1):
        messages.info(request, _("No other match is waiting for you."))
        return redirect(_address(waiting[0]) if waiting else "my_matches")
    return redirect(_address(waiting[(here + 1) % len(waiting)]))


@require_safe
def others(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show a player exactly what a spectator sees."""
    match = found(request, match_id)
    if queries.seat_of(match, request.user) is None or not match.snapshot:
        return redirect(_address(match_id))
    context = pages.context_of(pages.sight_of(match, None))
    context["explanations"] = prose.explanations(match.game)
    return render(request, "games/others.html", context)


# --- parts -----------------------------------------------------------------------------------


def found(request: HttpRequest, match_id: int) -> Match:
    """Find a match that this visitor may watch; any other is not there at all.

    Whoever opens a match in which time is up makes it so, as the sweep would.
    """
    link = request.GET.get("link", "")
    match = tables.table_or_404(request, match_id, link)
    if services.match_catch_up(match=match, now=timezone.now()):
        return tables.table_or_404(request, match_id, link)
    return match


def link_of(request: HttpRequest, match: Match) -> str:
    """Give the secret part of the address by which a stranger watches a private match."""
    return match.link if match.private and request.GET.get("link") == match.link else ""


def show(
    request: HttpRequest,
    match: Match,
    *,
    session: Session | None = None,
    hold: str = "",
    refused: Refused | None = None,
) -> HttpResponse:
    """Answer with the match as this visitor sees it: the page, or what htmx swaps."""
    status = STATUSES.get(refused.key, 422) if refused else 200
    if match.status == Match.Status.OPEN:
        return tables.table_page(request, match, refused)
    if not match.snapshot:
        return render(request, "games/cancelled.html", {"title": str(match)}, status=status)
    mine = queries.seat_of(match, request.user)
    seat = mine.index if mine else None
    sight = pages.sight_of(match, seat, session=session, hold=hold, refused=refused)
    context = pages.context_of(replace(sight, link=link_of(request, match)))
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "games/_table.html", context, status=status)
    return render(request, "games/match.html", context | _around(request, match), status=status)


def _around(request: HttpRequest, match: Match) -> dict[str, object]:
    """Add what stands around the table and is not swapped with it: a sentence for each thing."""
    return {
        "preview": preview_of(request, match, link=link_of(request, match)),
        "explanations": prose.explanations(match.game),
        "is_first": lessons.is_offered(request, match),
        "talk": talk_of(request, match),
    }


def _change(request: HttpRequest, match_id: int, change: Change) -> HttpResponse:
    """Let a seated player change a match; show how it stands then, or why it did not change."""
    if not isinstance(request.user, User):
        return to_login(request, match_id)
    try:
        changed = change(request.user)
    except Match.DoesNotExist as nothing:
        raise Http404 from nothing
    except Refused as refused:
        return show(request, found(request, match_id), refused=refused)
    if request.htmx:  # type: ignore[attr-defined]
        changed.mark_absent()
        return show(request, changed.match, session=changed.session)
    return redirect(_address(match_id))


def _address(match_id: int) -> str:
    return reverse("match", args=[match_id])
