"""People: profiles, past matches, leaderboards, favourites and blocks, and complaints."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Tie, User
from accounts.ties import people_tied, tie_between, tie_cut, tie_set
from config.posts import posted_from
from games import charts, exports, profiles, prose, queries, services
from games.catalogue import shelf
from games.engine.contract import Refused
from games.history_forms import HistoryForm, ReportForm
from games.models import Holder, Match, Seat, Standing
from games.ratings import LEAST_MATCHES
from games.views.home import game_or_404

MATCHES_PER_PAGE = 25
# What one is told after making something of somebody.
TIED = {
    Tie.Kind.FAVOURITE: gettext_lazy("%(name)s is one of your favourites."),
    Tie.Kind.BLOCKED: gettext_lazy(
        "You and %(name)s will not sit at one table nor hear each other."
    ),
    "": gettext_lazy("%(name)s is neither a favourite nor blocked."),
}


class Past(NamedTuple):
    """A match in somebody's history."""

    match: Match
    holder: Holder
    opponents: list[Seat]
    result: str
    points: int | None
    gain: int | None


def person_or_404(request: HttpRequest, name: str) -> User:
    """Find somebody whose profile this visitor may see."""
    person = queries.member_called(name)
    if person is None or not profiles.may_see(request.user, person):
        raise Http404
    return person


def other_or_404(request: HttpRequest, name: str) -> User:
    """Find somebody other than the visitor: one may block whom one cannot see, and guests too."""
    person = queries.somebody_called(name)
    if person is None or person.pk == request.user.pk:
        raise Http404
    return person


# --- the profile -----------------------------------------------------------------------------


@require_safe
@never_cache
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show how somebody plays: results, rating, speed and opponents."""
    person = person_or_404(request, name)
    latest = profiles.history_of(person, request.user, {})[:5]
    page = {
        "person": person,
        "records": [(one, charts.chart_of(one.steps)) for one in profiles.records_of(person)],
        "recent": profiles.RECENT,
        "circles": profiles.circles_of(request.user),
        "latest": [_past(holder) for holder in latest],
        "tie": tie_between(request.user, person),
    }
    return render(request, "people/profile.html", page)


@require_safe
@never_cache
def history(request: HttpRequest, name: str) -> HttpResponse:
    """List somebody's past matches, filtered, a page at a time."""
    person = person_or_404(request, name)
    form = HistoryForm(request.GET)
    rows = profiles.history_of(person, request.user, form.asked())
    shown = Paginator(rows, MATCHES_PER_PAGE).get_page(request.GET.get("page"))
    query = request.GET.copy()
    query.pop("page", None)
    page = {
        "person": person,
        "form": form,
        "page": shown,
        "past": [_past(holder) for holder in shown],
        "query": query.urlencode(),
    }
    return render(request, "people/history.html", page)


@require_safe
def history_export(request: HttpRequest, name: str, kind: str) -> HttpResponseBase:
    """Give the same list as a file, whole."""
    person = person_or_404(request, name)
    asked = HistoryForm(request.GET).asked()
    rows = exports.rows_of(profiles.history_of(person, request.user, asked))
    if kind == "json":
        answer: HttpResponseBase = JsonResponse({"person": person.username, "matches": list(rows)})
    else:
        answer = StreamingHttpResponse(exports.as_csv(rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="matches.{kind}"'
    return answer


def _past(holder: Any) -> Past:
    match, seat = holder.seat.match, holder.seat
    seats = match.seats.all()
    return Past(
        match=match,
        holder=holder,
        opponents=[other for other in seats if other.pk != seat.pk],
        result=_result(holder, [other.rank for other in seats]),
        points=seat.score[0] if seat.score else None,
        gain=profiles.gain_of(holder.mu_before, holder.mu_after),
    )


def _result(holder: Holder, ranks: Sequence[int | None]) -> str:
    if holder.ended != Holder.Ended.PLAYED:
        return holder.get_ended_display()
    if holder.seat.rank == 1:
        return _("won") if ranks.count(1) == 1 else _("shared victory")
    return _("Place %(rank)s of %(seats)s") % {"rank": holder.seat.rank, "seats": len(ranks)}


# --- leaderboards ----------------------------------------------------------------------------


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", next(iter(shelf())))


@require_safe
@never_cache
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """List who is strongest in a game, and where the visitor stands."""
    game = game_or_404(slug)
    leaders = list(profiles.leaders_in(slug, request.user))
    mine = None
    if isinstance(request.user, User) and all(one.user != request.user for one in leaders):
        mine = Standing.objects.filter(user=request.user, game_slug=slug).first()
    page = {
        "game": game,
        "games": list(shelf().values()),
        "leaders": leaders,
        "mine": mine,
        "least": LEAST_MATCHES,
    }
    return render(request, "people/leaderboard.html", page)


# --- favourites, blocks and complaints -------------------------------------------------------


@require_safe
@login_required
@never_cache
def my_people(request: HttpRequest) -> HttpResponse:
    """List a user's favourites and whom the user has blocked; lead to somebody by name."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    sought = request.GET.get("name", "").strip()
    person = queries.member_called(sought) if sought else None
    if person and profiles.may_see(request.user, person):
        return redirect("person", person.username)
    page = {
        "sought": sought,
        "favourites": people_tied(request.user, Tie.Kind.FAVOURITE),
        "blocked": people_tied(request.user, Tie.Kind.BLOCKED),
    }
    return render(request, "people/my_people.html", page)


@posted_from("person", "name")
@login_required
def tie(request: HttpRequest, name: str) -> HttpResponse:
    """Make somebody a favourite, block them, or neither; of a guest there are no favourites."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    other = other_or_404(request, name)
    kind = request.POST.get("kind", "")
    if kind not in TIED or (other.is_guest and kind == Tie.Kind.FAVOURITE):
        raise Http404
    if kind:
        tie_set(user=request.user, other=other, kind=kind)
        services.tables_part(user=request.user)
    else:
        tie_cut(user=request.user, other=other)
    messages.success(request, TIED[kind] % {"name": other.username})
    has_page = profiles.has_profile(other) and profiles.may_see(request.user, other)
    if request.POST.get("from") == "my_people" or not has_page:
        return redirect("my_people")
    return redirect("person", other.username)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Complain about somebody to the moderators."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    about = other_or_404(request, name)
    form = ReportForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.report_write(
                reporter=request.user, about=about, match=_match(request), **form.cleaned_data
            )
        except Refused as refused:
            form.add_error(None, prose.refuse(refused))
        else:
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("my_people")
    page = {
        "person": about,
        "form": form,
        "match": (request.POST or request.GET).get("match", ""),
        "is_blocked": tie_between(request.user, about) == Tie.Kind.BLOCKED,
    }
    return render(request, "people/report.html", page)


def _match(request: HttpRequest) -> Match | None:
    """Find the match a complaint is about, if it names one this visitor may watch."""
    number = request.POST.get("match", "")
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        return None
    match = queries.match_with_seats(int(number))
    return match if match and queries.may_watch(match, request.user) else None
