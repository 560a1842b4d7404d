"""Reads about how people play: their results, ratings, speed, opponents and past matches.

Everything comes from the holders of seats, so that a substitute changes nobody's history. However
many matches somebody has played, each function costs the same few queries.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    Window,
)
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, RowNumber

from accounts.models import User
from games.catalogue import Game, shelf
from games.models import Holder, Match, Rating, Seat, Standing
from games.ratings import LEAST_MATCHES, Strength

PLAYED = Holder.Ended.PLAYED
RECENT = 50  # matches of a game from which somebody's speed is told
LATELY = 10  # matches of any game from which it is guessed how long the next will take
TURNS = 100  # from which it is told how reliable somebody is
LATEST_TURN = (F("marked").desc(nulls_last=True), F("pk").desc())
OPPONENTS_SHOWN = 12
STEPS_DRAWN = 500  # of a rating in one game
PLACES_SHOWN = 100  # of a leaderboard


class Pace(NamedTuple):
    """How fast and how reliably somebody has moved of late."""

    response: float | None = None  # seconds, the median
    in_time: int | None = None  # of the latest turns, in per cent


class InTime(NamedTuple):
    """How many of somebody's latest turns under a clock were made in time."""

    turns: int
    made: int

    @property
    def share(self) -> int:
        """Give it in per cent, never rounded up; of nothing, all of it."""
        return 100 * self.made // self.turns if self.turns else 100


class Opponent(NamedTuple):
    name: str
    matches: int
    ahead: int  # how often the other came after
    behind: int
    shown_to: str  # the circle that sees the profile


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
    pace: Pace
    opponents: tuple[Opponent, ...]  # whom one has met most


def has_profile(user: User) -> bool:
    """Tell whether there is a profile at all: not of guests, nor of those who are gone."""
    return user.is_active and not user.is_guest


def circles_of(viewer: object) -> set[str]:
    """Say which of the circles that people show themselves to a viewer belongs to."""
    if isinstance(viewer, User) and viewer.is_staff:
        return set(User.ShownTo)
    if isinstance(viewer, User) and not viewer.is_guest:
        return {User.ShownTo.EVERYBODY, User.ShownTo.MEMBERS}
    return {User.ShownTo.EVERYBODY}


def may_see(viewer: object, owner: User) -> bool:
    """Tell whether a viewer may see how somebody plays."""
    is_owner = isinstance(viewer, User) and viewer.pk == owner.pk
    return is_owner or owner.shown_to in circles_of(viewer)


def held_beside_people(user: User) -> QuerySet[Holder]:
    """List how a user took part in matches in which other people held a seat too."""
    others = Holder.objects.filter(seat__match=OuterRef("seat__match")).exclude(user=user)
    return Holder.objects.filter(Exists(others), user=user)


def held_by(user: User) -> QuerySet[Holder]:
    """List how a user took part in those of these matches that were finished."""
    return held_beside_people(user).filter(seat__match__status=Match.Status.FINISHED)


# --- the profile, game by game ---------------------------------------------------------------


def records_of(user: User) -> list[Record]:
    """Sum up somebody's matches game by game, the most played first: six queries."""
    standings = {standing.game_slug: standing for standing in Standing.objects.filter(user=user)}
    places, steps, paces, met = _places(user), _steps(user), _paces(user), _opponents(user)
    records = [
        Record(
            game=shelf()[slug],
            **sums,
            places=tuple(places[slug]),
            standing=standings.get(slug),
            steps=tuple(reversed(steps[slug])),
            pace=_pace(paces[slug]),
            opponents=tuple(met[slug]),
        )
        for slug, sums in _sums(user).items()
        if slug in shelf()
    ]
    return sorted(records, key=lambda record: -record.matches)


def _sums(user: User) -> dict[str, dict[str, Any]]:
    """Count somebody's matches, and those that were won or left, and average the scores."""
    points = Cast(KeyTextTransform(0, "seat__score"), FloatField())
    rows = (
        held_by(user)
        .values(slug=F("seat__match__game_slug"))
        .annotate(
            matches=Count("pk"),
            wins=Count("pk", filter=Q(ended=PLAYED, seat__rank=1)),
            left=Count("pk", filter=~Q(ended=PLAYED)),
            average=Avg(points, filter=Q(ended=PLAYED)),
        )
    )
    sums: dict[str, dict[str, Any]] = {row["slug"]: dict(row) for row in rows}
    for row in sums.values():
        del row["slug"]
    return sums


def _places(user: User) -> dict[str, list[tuple[int, int]]]:
    stayed = held_by(user).filter(ended=PLAYED).order_by("seat__match__game_slug", "seat__rank")
    counted = stayed.values_list("seat__match__game_slug", "seat__rank").annotate(Count("pk"))
    places = defaultdict(list)
    for slug, rank, count in counted:
        places[slug].append((rank, count))
    return places


def _steps(user: User) -> dict[str, list[Rating]]:
    """List what matches did to somebody's ratings, the latest first."""
    steps = defaultdict(list)
    for rating in _latest(Rating.objects.filter(user=user), "game_slug", STEPS_DRAWN):
        steps[rating.game_slug].append(rating)
    return steps


def _paces(user: User) -> dict[str, list[Holder]]:
    """List how somebody held seats, matches that still run included, the latest turn first.

    No more than one match for each turn that counts.
    """
    rows = held_beside_people(user).annotate(slug=F("seat__match__game_slug"))
    held = defaultdict(list)
    for holder in _latest(rows, "slug", TURNS, LATEST_TURN):
        held[holder.slug].append(holder)
    return held


def in_time_of(user: User) -> InTime:
    """Count somebody's latest turns in all games: one query."""
    return _in_time(Holder.objects.filter(user=user).order_by(*LATEST_TURN)[:TURNS])


def responses_of(users: Collection[int]) -> dict[int, float]:
    """Give the seconds in which each of these people usually answers: one query for all."""
    rows = Holder.objects.filter(user__in=users).exclude(responses=[])
    seconds = defaultdict(list)
    for holder in _latest(rows, "user", LATELY, LATEST_TURN):
        seconds[holder.user_id].extend(holder.responses)
    return {user: median(taken) for user, taken in seconds.items()}


def _in_time(held: Iterable[Holder]) -> InTime:
    latest = sorted((mark for holder in held for mark in holder.marks), key=abs)[-TURNS:]
    return InTime(len(latest), sum(mark > 0 for mark in latest))


def _latest(
    rows: QuerySet[Any], each: str, most: int, order: Sequence[Any] = (F("pk").desc(),)
) -> QuerySet[Any]:
    """Leave the latest rows of each game (or person), the newest first."""
    place = Window(RowNumber(), partition_by=F(each), order_by=order)
    latest: QuerySet[Any] = rows.annotate(place=place).filter(place__lte=most)
    return latest.order_by(*order)


def _pace(held: Sequence[Holder]) -> Pace:
    seconds = [second for holder in held[:RECENT] for second in holder.responses]
    in_time = _in_time(held)
    return Pace(
        response=median(seconds) if seconds else None,
        in_time=in_time.share if in_time.turns else None,
    )


def _opponents(user: User) -> dict[str, list[Opponent]]:
    """List whom somebody has met most in each game, and who came before whom."""
    other, slug = "seat__match__seats", "seat__match__game_slug"
    name = f"{other}__holders__user__username"
    elsewhere = Q(**{f"{other}__index__lt": F("seat__index")})
    elsewhere |= Q(**{f"{other}__index__gt": F("seat__index")})
    met = {f"{other}__holders__ended": PLAYED, f"{other}__holders__user__is_active": True}
    met |= {f"{other}__holders__user__is_guest": False}
    # One chain of joins from the user's own rows: a search from both ends is slow for many.
    rows = (
        Holder.objects.filter(
            elsewhere, user=user, ended=PLAYED, seat__match__status=Match.Status.FINISHED, **met
        )
        .values(slug, name, f"{other}__holders__user__shown_to")
        .annotate(
            matches=Count("pk"),
            ahead=Count("pk", filter=Q(seat__rank__lt=F(f"{other}__rank"))),
            behind=Count("pk", filter=Q(seat__rank__gt=F(f"{other}__rank"))),
        )
        .values_list(slug, name, "matches", "ahead", "behind", f"{other}__holders__user__shown_to")
        .order_by("-matches", name)
    )
    opponents: dict[str, list[Opponent]] = defaultdict(list)
    for game, *counted in rows:
        if len(opponents[game]) < OPPONENTS_SHOWN:
            opponents[game].append(Opponent(*counted))
    return opponents


# --- past matches ----------------------------------------------------------------------------


def history_of(user: User, viewer: object, asked: Mapping[str, Any]) -> QuerySet[Holder]:
    """List how somebody took part in past matches, the last to end first.

    `asked` is what HistoryForm found. A private match is shown to those who were in it.
    """
    finished = Holder.objects.filter(user=user, seat__match__status=Match.Status.FINISHED)
    rows = finished.filter(_shown_to(viewer), **asked.get("conditions", {}))
    if name := asked.get("opponent"):
        met = User.objects.exclude(pk=user.pk).filter(username__iexact=name).first()
        rows = rows.filter(seat__match__in=_matches_of(met.pk)) if met else rows.none()
    rating = Rating.objects.filter(
        match=OuterRef("seat__match"), user=user, game_slug=OuterRef("seat__match__game_slug")
    )
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


def _shown_to(viewer: object) -> Q:
    public = Q(seat__match__private=False)
    return (
        public | Q(seat__match__in=_matches_of(viewer.pk)) if isinstance(viewer, User) else public
    )


def _matches_of(user: int) -> QuerySet[Holder, Any]:
    return Holder.objects.filter(user=user).values("seat__match")


def gain_of(mu_before: float | None, mu_after: float | None) -> int | None:
    """Say what a match did to a rating, in points; None: nothing, it was not rated."""
    if mu_before is None or mu_after is None:
        return None
    return Strength(mu_after).points - Strength(mu_before).points


# --- leaderboards ----------------------------------------------------------------------------


def leaders_in(game: str, viewer: object) -> QuerySet[Standing]:
    """List who is surely strongest: by what the rating is at least, 19 times of 20.

    Those are left out who do not show this viewer how they play.
    """
    return (
        Standing.objects.filter(game_slug=game, matches__gte=LEAST_MATCHES)
        .filter(user__is_active=True, user__is_guest=False)
        .filter(user__shown_to__in=circles_of(viewer))
        .annotate(least=F("mu") - 2 * F("sigma"))
        .select_related("user")
        .order_by("-least", "user")[:PLACES_SHOWN]
    )
