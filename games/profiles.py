"""Reads about how people play: their results, ratings, speed, opponents and past matches.

Everything comes from the holders of seats, so that a substitute changes nobody's history. However
many matches somebody has played, each function costs the same few queries.
"""

from collections import defaultdict
from collections.abc import Mapping
from statistics import median
from typing import Any, NamedTuple

from django.db.models import (
    Avg,
    Count,
    Exists,
    F,
    FloatField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from accounts.models import User
from games.catalogue import Game, shelf
from games.models import Holder, Match, Rating, Seat, Standing
from games.ratings import LEAST_MATCHES, Strength

PLAYED = Holder.Ended.PLAYED
RECENT = 50  # matches from which somebody's speed is told
OPPONENTS_SHOWN = 12
STEPS_DRAWN = 500  # of a rating
PLACES_SHOWN = 100  # of a leaderboard


class Record(NamedTuple):
    """How somebody has done in one game, against people."""

    game: Game
    matches: int
    wins: int
    left: int  # gave up or ran out of time
    average: float | None  # score
    places: tuple[tuple[int, int], ...]  # (place, how often)
    standing: Standing | None
    steps: tuple[Rating, ...]  # of the rating, oldest first


class Pace(NamedTuple):
    """How fast and how reliably somebody has moved of late."""

    response: float | None  # seconds, the median
    in_time: int | None  # turns made in time, in per cent


class Opponent(NamedTuple):
    name: str
    matches: int
    ahead: int  # how often the other came after
    behind: int


def person_called(name: str) -> User | None:
    """Find somebody by name, in any case of letters; not guests, and nobody who is gone."""
    return User.objects.filter(is_active=True, is_guest=False, username__iexact=name).first()


def may_see(viewer: object, owner: User) -> bool:
    """Tell whether a viewer may see how somebody plays."""
    if isinstance(viewer, User) and (viewer.pk == owner.pk or viewer.is_staff):
        return True
    if owner.shown_to == User.ShownTo.MEMBERS:
        return isinstance(viewer, User) and not viewer.is_guest
    return owner.shown_to == User.ShownTo.EVERYBODY


def held_by(user: User) -> QuerySet[Holder]:
    """List how a user took part in finished matches in which other people held a seat too."""
    others = Holder.objects.filter(seat__match=OuterRef("seat__match")).exclude(user=user)
    return Holder.objects.filter(
        Exists(others), user=user, seat__match__status=Match.Status.FINISHED
    )


# --- the profile -----------------------------------------------------------------------------


def records_of(user: User) -> list[Record]:
    """Sum up somebody's matches game by game, the most played first: four queries."""
    points = Cast(KeyTextTransform(0, "seat__score"), FloatField())
    mine = held_by(user)
    sums = mine.values(slug=F("seat__match__game_slug")).annotate(
        matches=Count("pk"),
        wins=Count("pk", filter=Q(ended=PLAYED, seat__rank=1)),
        left=Count("pk", filter=~Q(ended=PLAYED)),
        average=Avg(points, filter=Q(ended=PLAYED)),
    )
    stayed = mine.filter(ended=PLAYED).order_by("seat__match__game_slug", "seat__rank")
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    ranked = stayed.values_list("seat__match__game_slug", "seat__rank").annotate(Count("pk"))
    for slug, rank, count in ranked:
        places[slug].append((rank, count))
    standings = {standing.game_slug: standing for standing in Standing.objects.filter(user=user)}
    steps: dict[str, list[Rating]] = defaultdict(list)
    for rating in Rating.objects.filter(user=user).order_by("-pk")[:STEPS_DRAWN]:
        steps[rating.game_slug].insert(0, rating)
    records = [
        Record(
            game=shelf()[row["slug"]],
            matches=row["matches"],
            wins=row["wins"],
            left=row["left"],
            average=row["average"],
            places=tuple(places[row["slug"]]),
            standing=standings.get(row["slug"]),
            steps=tuple(steps[row["slug"]]),
        )
        for row in sums
        if row["slug"] in shelf()
    ]
    return sorted(records, key=lambda record: -record.matches)


def pace_of(user: User) -> Pace:
    """Tell how somebody has moved in the latest matches: one query."""
    rows = list(
        Holder.objects.filter(user=user)
        .order_by("-pk")
        .values_list("responses", "turns", "missed", "caretaker_turns")[:RECENT]
    )
    seconds = [second for responses, *_turns in rows for second in responses]
    made = sum(turns for _responses, turns, *_missed in rows)
    due = made + sum(missed + nursed for _responses, _turns, missed, nursed in rows)
    return Pace(
        response=median(seconds) if seconds else None,
        in_time=round(100 * made / due) if due else None,
    )


def opponents_of(user: User) -> list[Opponent]:
    """List whom somebody has met most, and who came before whom: one query."""
    other = "seat__match__seats"
    elsewhere = Q(**{f"{other}__index__lt": F("seat__index")})
    elsewhere |= Q(**{f"{other}__index__gt": F("seat__index")})
    met = {f"{other}__holders__ended": PLAYED, f"{other}__holders__user__is_active": True}
    met |= {f"{other}__holders__user__is_guest": False}
    # One chain of joins from the user's own rows: a search from both ends is slow for many.
    rows = (
        Holder.objects.filter(
            elsewhere, user=user, ended=PLAYED, seat__match__status=Match.Status.FINISHED, **met
        )
        .values_list(f"{other}__holders__user__username")
        .annotate(
            matches=Count("pk"),
            ahead=Count("pk", filter=Q(seat__rank__lt=F(f"{other}__rank"))),
            behind=Count("pk", filter=Q(seat__rank__gt=F(f"{other}__rank"))),
        )
        .order_by("-matches", f"{other}__holders__user__username")
    )
    return [Opponent(*row) for row in rows[:OPPONENTS_SHOWN]]


# --- past matches ----------------------------------------------------------------------------


def history_of(user: User, viewer: object, asked: Mapping[str, Any]) -> QuerySet[Holder]:
    """List how somebody took part in past matches, the last to end first.

    `asked` is what HistoryForm found. A private match is shown to those who were in it.
    """
    rows = Holder.objects.filter(user=user, seat__match__status=Match.Status.FINISHED)
    seen = Q(seat__match__private=False)
    if isinstance(viewer, User):
        seen |= Q(seat__match__in=_matches_of(viewer.pk))
    rows = rows.filter(seen, **asked.get("conditions", {}))
    if name := asked.get("opponent"):
        met = User.objects.exclude(pk=user.pk).filter(username__iexact=name).first()
        rows = rows.filter(seat__match__in=_matches_of(met.pk)) if met else rows.none()
    rating = Rating.objects.filter(match=OuterRef("seat__match"), user=user)
    return (
        rows.annotate(
            mu_before=Subquery(rating.values("mu_before")[:1]),
            mu_after=Subquery(rating.values("mu")[:1]),
        )
        .select_related("seat__match")
        .prefetch_related(
            Prefetch("seat__match__seats", queryset=Seat.objects.select_related("user"))
        )
        .order_by("-seat__match__finished", "-pk")
    )


def _matches_of(user: int) -> QuerySet[Holder, Any]:
    return Holder.objects.filter(user=user).values("seat__match")


def gain_of(mu_before: float | None, mu_after: float | None) -> int | None:
    """Say what a match did to a rating, in points; None: nothing, it was not rated."""
    if mu_before is None or mu_after is None:
        return None
    return Strength(mu_after).points - Strength(mu_before).points


# --- leaderboards ----------------------------------------------------------------------------


def leaders_in(game: str) -> QuerySet[Standing]:
    """List who is surely strongest: by what the rating is at least, 19 times of 20."""
    return (
        Standing.objects.filter(game_slug=game, matches__gte=LEAST_MATCHES)
        .filter(user__is_active=True, user__is_guest=False)
        .exclude(user__shown_to=User.ShownTo.NOBODY)
        .annotate(least=F("mu") - 2 * F("sigma"))
        .select_related("user")
        .order_by("-least", "user")[:PLACES_SHOWN]
    )
