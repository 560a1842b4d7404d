"""The first lesson of a game, for anybody: the same board, moves and words as in a match.

Where a pupil is stands in the address, so nothing is stored but that a lesson was done or not
wanted: with the user, or in the session of somebody who is not a user yet.
"""

import re
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django_htmx.http import push_url

from accounts.models import User
from accounts.services import lessons_settle
from config.posts import posted_from
from games import pages, prose, queries, story
from games.catalogue import Game, Scene
from games.engine.contract import Refused, matches, read, write
from games.lessons import PUPIL, Course, Trail, course_of
from games.models import Match
from games.views.home import game_or_404


class TrailConverter:
    """A trail as part of an address: `3/take.2.cw,lay_foundation.R4a`."""

    regex = r"[1-9](?:/[A-Za-z0-9_.,-]+)?"

    def to_python(self, text: str) -> Trail:
        try:
            return Trail.read(text)
        except Refused:
            raise ValueError from None

    def to_url(self, trail: Trail) -> str:
        return str(trail)


@require_safe
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    return redirect("lesson", game_or_404(slug).slug, Trail())


@require_safe
def lesson(request: HttpRequest, slug: str, trail: Trail) -> HttpResponse:
    """Ask for a step, or show what it did; trying something in vain may be what is asked."""
    course, hold = _course(slug, trail), request.GET.get("hold", "")
    if hold and not trail.is_done and course.step.refusal:
        try:
            tried = read(hold)
            if not any(matches(tried, one) for one in course.session.state.legal(PUPIL)):
                return _go(request, course.game, trail.trying(tried))
        except Refused as refused:
            return _show(request, course, trail, refused=refused)
    return _show(request, course, trail, hold=hold)


@posted_from("lesson", "slug", "trail")
def move(request: HttpRequest, slug: str, trail: Trail) -> HttpResponse:
    """Make a move; one that the lesson does not ask for is answered and not carried out."""
    course = _course(slug, trail)
    if trail.is_done:
        return redirect("lesson", slug, trail)
    try:
        return _go(request, course.game, trail.trying(read(request.POST.get("move", ""))))
    except Refused as refused:
        return _show(request, course, trail, refused=refused)


@posted_from("lesson", "slug", "trail")
def undo(request: HttpRequest, slug: str, trail: Trail) -> HttpResponse:
    return _take_back(request, slug, trail, whole_turn=False)


@posted_from("lesson", "slug", "trail")
def restart(request: HttpRequest, slug: str, trail: Trail) -> HttpResponse:
    return _take_back(request, slug, trail, whole_turn=True)


@posted_from("learn", "slug")
def skip(request: HttpRequest, slug: str) -> HttpResponse:
    """Remember that a lesson is not wanted; go to the match it was offered in, or to the rules."""
    game = game_or_404(slug)
    settle(request, game)
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse()
    number = request.POST.get("match", "")
    if re.fullmatch("[0-9]{1,18}", number):
        return redirect("match", int(number))
    return redirect(_match_of(request, game) or reverse("rules_of", args=[slug]))


# --- whether it is offered -------------------------------------------------------------------


def settle(request: HttpRequest, game: Game) -> None:
    """Remember that a lesson need not be offered to this visitor any more."""
    if isinstance(request.user, User):
        lessons_settle([request.user], [game.slug])
    else:
        request.session["lessons"] = sorted({*request.session.get("lessons", ()), game.slug})


def is_offered(request: HttpRequest, match: Match) -> bool:
    """Tell whether a match may be somebody's first of its game, and the lesson is news to them."""
    user, slug = request.user, match.game_slug
    if not isinstance(user, User):
        return False
    if match.status != Match.Status.RUNNING or queries.seat_of(match, user) is None:
        return False
    return slug not in user.lessons and slug not in request.session.get("lessons", ())


# --- parts -----------------------------------------------------------------------------------


def _course(slug: str, trail: Trail) -> Course:
    """Follow a trail; one that leads nowhere is no address of ours."""
    try:
        return course_of(game_or_404(slug), trail)
    except Refused:
        raise Http404 from None


def _go(request: HttpRequest, game: Game, trail: Trail) -> HttpResponse:
    """Go on along a trail, or raise Refused."""
    course = course_of(game, trail)
    if trail.number == len(course.lesson.steps):
        settle(request, game)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("lesson", game.slug, trail)
    return push_url(_show(request, course, trail), _address(game, trail))


def _take_back(request: HttpRequest, slug: str, trail: Trail, *, whole_turn: bool) -> HttpResponse:
    course = _course(slug, trail)
    if not course.drafted:
        return _show(request, course, trail, refused=Refused("nothing_to_undo"))
    earlier = trail.back(course.drafted if whole_turn else 1)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("lesson", slug, earlier)
    shown = _show(request, _course(slug, earlier), earlier)
    return push_url(shown, _address(course.game, earlier))


def _address(game: Game, trail: Trail) -> str:
    return reverse("lesson", args=[game.slug, trail])


def _match_of(request: HttpRequest, game: Game) -> str:
    """Give the address of a match of this game that the visitor plays; empty: there is none."""
    if not isinstance(request.user, User):
        return ""
    match = queries.newest_match(request.user, game.slug)
    return reverse("match", args=[match.pk]) if match else ""


def _show(
    request: HttpRequest,
    course: Course,
    trail: Trail,
    *,
    hold: str = "",
    refused: Refused | None = None,
) -> HttpResponse:
    """Answer with the lesson as it stands: the page, or what htmx swaps."""
    sight = pages.Sight(
        game=course.game,
        state=course.session.state,
        seat=PUPIL,
        players=course.players(request.user.get_username()),
        log=course.heard,
        place=_address(course.game, trail),
        drafts=course.drafted > 0,
        hold="" if trail.is_done else hold,
        refused=refused,
        only=() if trail.is_done else course.offered,
    )
    context = _done(sight, course) if trail.is_done else _asked(sight, course)
    context["lesson"] = _around(request, course, trail)
    status = 422 if refused else 200
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "games/_lesson.html", context, status=status)
    context["explanations"] = prose.explanations(course.game)
    return render(request, "games/lesson.html", context, status=status)


def _asked(sight: pages.Sight, course: Course) -> dict[str, Any]:
    """Make the page of a match that says what the lesson asks for, and what others just did."""
    context = pages.context_of(sight)
    page = replace(
        context["page"], headline=_headline(course), sentence=str(course.step.ask), poll=0
    )
    return {**context, "page": page, "said": page.recap}


def _done(sight: pages.Sight, course: Course) -> dict[str, Any]:
    """Make the page of a step that is done: the board at rest, what was said, what it meant."""
    context = pages.context_of(sight)
    lines = tuple(told.line for told in course.heard)
    scene = Scene(sight.state.view(PUPIL), [], (), lines, sight.names)
    page = replace(
        context["page"],
        headline=_headline(course),
        sentence=str(course.step.told),
        poll=0,
    )
    reader = story.Reader(sight.game, sight.players, PUPIL)
    return {
        "page": page,
        "drawing": course.game.board(scene),
        "said": story.sentences(reader, course.heard),
        "in_vain": pages.refusal_of(course.game, course.refused, sight.names)
        if course.refused
        else None,
    }


def _headline(course: Course) -> str:
    return _("Step %(number)s of %(all)s") % {
        "number": course.number,
        "all": len(course.lesson.steps),
    }


def _around(request: HttpRequest, course: Course, trail: Trail) -> dict[str, Any]:
    """Add how far the lesson is, what comes next, and a way out for who does not find the move."""
    last = trail.number == len(course.lesson.steps)
    done = trail.is_done
    return {
        "steps": [
            "now" if n == trail.number else "past" if n < trail.number else ""
            for n in range(1, len(course.lesson.steps) + 1)
        ],
        "is_done": done,
        "is_over": last and done,
        "points": not course.step.refusal,
        "speaks_of": _speaks_of(course, done=done),
        "next": "" if last else _address(course.game, trail.next()),
        "shown": "" if done else write(course.wanted[0]),
        "seats": course.lesson.opening.seats,
        "match": _match_of(request, course.game) if last and done else "",
    }


def _speaks_of(course: Course, *, done: bool) -> str:
    """Select what must be in sight: what has changed, what is tried in vain, or what is lit."""
    if done:
        return ".marked"
    tried = write(course.wanted[0]).replace(" ", "+")
    return f'[href="?hold={tried}"]' if course.step.refusal else ".lit"
