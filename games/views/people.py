"""People: profiles, past matches, leaderboards, favourites and blocks, and complaints."""

import csv
from collections.abc import Iterator
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
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Tie, User
from accounts.ties import people_tied, tie_between, tie_cut, tie_set
from games import charts, profiles, prose, queries, services
from games.catalogue import shelf
from games.engine.contract import Refused
from games.history_forms import HistoryForm, ReportForm
from games.models import Holder, Match, Seat, Standing
from games.ratings import LEAST_MATCHES
from games.views.home import game_or_404

MATCHES_PER_PAGE = 25
LONGEST_EXPORT = 20_000
COLUMNS = (
    *("match", "game", "finished", "place", "players", "points", "opponents", "rated"),
    *("rating_change", "ended", "options"),
)


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
    person = profiles.person_called(name)
    if person is None or not profiles.may_see(request.user, person):
        raise Http404
    return person


def member_or_404(request: HttpRequest, name: str) -> User:
    """Find somebody other than the visitor, shown or not: one may block whom one cannot see."""
    person = profiles.person_called(name)
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
    rows = profiles.history_of(person, request.user, asked)[:LONGEST_EXPORT]
    lines = (_exported(holder) for holder in rows.iterator(chunk_size=500))
    if kind == "json":
        answer: HttpResponseBase = JsonResponse({"person": person.username, "matches": list(lines)})
    else:
        answer = StreamingHttpResponse(_csv(lines), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="matches.{kind}"'
    return answer


class Echo:
    """A file that hands every line on instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def _csv(lines: Iterator[dict[str, Any]]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for line in lines:
        yield writer.writerow([_cell(line[column]) for column in COLUMNS])


def _cell(value: Any) -> str:
    """Write a value so that no spreadsheet takes it for a formula."""
    text = " ".join(value) if isinstance(value, list) else "" if value is None else str(value)
    is_formula = text.startswith(("=", "+", "-", "@")) and not text.lstrip("-").isdigit()
    return f"'{text}" if is_formula else text


def _exported(holder: Any) -> dict[str, Any]:
    match, seat = holder.seat.match, holder.seat
    options = [f"{key}={value}" for key, value in sorted(match.options.items())]
    seats = match.seats.all()
    return {
        "match": match.pk,
        "game": match.game_slug,
        "finished": match.finished.isoformat(),
        "place": seat.rank,
        "players": len(seats),
        "points": seat.score[0] if seat.score else None,
        "opponents": [other.name for other in seats if other.pk != seat.pk],
        "rated": match.rated,
        "rating_change": profiles.gain_of(holder.mu_before, holder.mu_after),
        "ended": holder.ended,
        "options": options,
    }


def _past(holder: Any) -> Past:
    match, seat = holder.seat.match, holder.seat
    seats = match.seats.all()
    return Past(
        match=match,
        holder=holder,
        opponents=[other for other in seats if other.pk != seat.pk],
        result=_result(holder, len(seats)),
        points=seat.score[0] if seat.score else None,
        gain=profiles.gain_of(holder.mu_before, holder.mu_after),
    )


def _result(holder: Holder, seats: int) -> str:
    if holder.ended != Holder.Ended.PLAYED:
        return holder.get_ended_display()
    if holder.seat.rank == 1:
        return _("won")
    return _("Place %(rank)s of %(seats)s") % {"rank": holder.seat.rank, "seats": seats}


# --- leaderboards ----------------------------------------------------------------------------


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return redirect("leaderboard", next(iter(shelf())))


@require_safe
@never_cache
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """List who is strongest in a game, and where the visitor stands."""
    game = game_or_404(slug)
    leaders = list(profiles.leaders_in(slug))
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
    """List a user's favourites and whom the user has blocked."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    page = {
        "favourites": people_tied(request.user, Tie.Kind.FAVOURITE),
        "blocked": people_tied(request.user, Tie.Kind.BLOCKED),
    }
    return render(request, "people/my_people.html", page)


@require_POST
@login_required
def tie(request: HttpRequest, name: str) -> HttpResponse:
    """Make somebody a favourite, block them, or neither."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    other = member_or_404(request, name)
    kind = request.POST.get("kind", "")
    if kind in Tie.Kind.values:
        tie_set(user=request.user, other=other, kind=kind)
    elif not kind:
        tie_cut(user=request.user, other=other)
    words = {
        "favourite": _("%(name)s is one of your favourites."),
        "blocked": _("You and %(name)s will not sit at one table nor hear each other."),
    }.get(kind, _("%(name)s is neither a favourite nor blocked."))
    messages.success(request, words % {"name": other.username})
    shown = profiles.may_see(request.user, other)
    return redirect("person", other.username) if shown else redirect("my_people")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Complain about somebody to the moderators."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    about = member_or_404(request, name)
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
    page = {"person": about, "form": form, "match": request.GET.get("match", "")}
    return render(request, "people/report.html", page)


def _match(request: HttpRequest) -> Match | None:
    """Find the match a complaint is about, if it names one this visitor may watch."""
    number = request.POST.get("match", "")
    if not (number.isascii() and number.isdecimal() and len(number) < 18):
        return None
    match = queries.match_with_seats(int(number))
    return match if match and queries.may_watch(match, request.user) else None
