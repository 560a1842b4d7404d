"""Ratings are written once, in the transaction that ends a match.

The same sums over all matches, in the order in which they were rated, give the same numbers again:
`recomputed()` does so without writing, and `ratings_rewrite()` replaces what is kept.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Min

from games.models import Holder, Match, Move, Rating, Seat, Standing
from games.ratings import Part, Strength, verdicts

AWAY = timedelta(hours=72)  # within which running out of time in several matches is one absence
UNCHANGED = (Rating.Note.ABSENT, Rating.Note.CARETAKER)


class Books:
    """Where everybody stands in one game, and when an absence of theirs last counted."""

    def __init__(self, standings: Iterable[Standing] = ()) -> None:
        self.standings = {standing.user_id: standing for standing in standings}
        self.absences: dict[int, datetime] = {}

    def open(self, user: int, game: str) -> Standing:
        new = Strength()
        return self.standings.setdefault(
            user, Standing(user_id=user, game_slug=game, mu=new.mu, sigma=new.sigma)
        )

    def enter(self, rating: Rating) -> None:
        standing = self.open(rating.user_id, rating.game_slug)
        standing.mu, standing.sigma = rating.mu, rating.sigma
        standing.matches += rating.note not in UNCHANGED
        if rating.note == Rating.Note.TIMED_OUT:
            self.absences[rating.user_id] = rating.at


def match_rate(match: Match, seats: Sequence[Seat]) -> None:
    """Rate everybody who held a seat in a match that has just ended."""
    holders = _holders(seats) if match.rated else []
    if not holders:
        return
    users = sorted({holder.user_id for holder in holders if holder.user_id})
    books = Books(_locked(users, match.game_slug))
    timed_out = Rating.objects.filter(user__in=users, note=Rating.Note.TIMED_OUT)
    for rating in timed_out.filter(at__gt=_ended(match) - AWAY).order_by("pk"):
        books.absences[rating.user_id] = rating.at
    for rating in judged(match, seats, holders, books):
        rating.save(force_insert=True)
        books.enter(rating)
        books.standings[rating.user_id].save()


def judged(
    match: Match, seats: Sequence[Seat], holders: Sequence[Holder], books: Books
) -> list[Rating]:
    """Say what a match does to everybody who held a seat in it; nothing is written."""
    places = {seat.pk: seat.rank or len(seats) for seat in seats}
    first = {holder.seat_id: holder.pk for holder in reversed(holders)}
    parts: dict[int, Part] = {}
    ended = {}
    for holder in holders:
        if holder.user_id is None or holder.user_id in parts:
            continue  # an account that is gone for good; somebody who left and came in again
        ended[holder.user_id] = holder.ended
        parts[holder.user_id] = Part(
            user=holder.user_id,
            rank=places[holder.seat_id],
            stayed=holder.ended == Holder.Ended.PLAYED,
            is_substitute=first[holder.seat_id] != holder.pk,
            is_excused=holder.ended == Holder.Ended.TIMED_OUT
            and _has_counted(holder.user_id, _ended(match), books),
        )
    before = {user: books.open(user, match.game_slug).strength for user in parts}
    found = verdicts(
        list(parts.values()), before, is_duel=len(seats) == 2, is_nursed=_is_nursed(holders)
    )
    return [
        Rating(
            match=match,
            user_id=user,
            game_slug=match.game_slug,
            at=_ended(match),
            mu_before=before[user].mu,
            sigma_before=before[user].sigma,
            mu=verdict.strength.mu,
            sigma=verdict.strength.sigma,
            note=_note(verdict.note, ended[user]),
        )
        for user, verdict in found.items()
    ]


# --- all of it once more ---------------------------------------------------------------------


def recomputed() -> tuple[list[Rating], list[Standing]]:
    """Compute every rating again from the matches, in the order in which they were rated."""
    matches = (
        Match.objects.filter(status=Match.Status.FINISHED, rated=True)
        .annotate(order=Min("ratings__pk"))
        .order_by(F("order").asc(nulls_last=True), "finished", "pk")
        .prefetch_related("seats")
    )
    books: dict[str, Books] = {}
    absences: dict[int, datetime] = {}  # one for all games
    ratings = []
    for match in matches.iterator(chunk_size=200):
        seats = list(match.seats.all())
        own = books.setdefault(match.game_slug, Books())
        own.absences = absences
        for rating in judged(match, seats, _holders(seats), own):
            own.enter(rating)
            ratings.append(rating)
    return ratings, [row for own in books.values() for row in own.standings.values()]


@transaction.atomic
def ratings_rewrite() -> None:
    """Replace all that is kept by what the matches say."""
    ratings, standings = recomputed()
    Rating.objects.all().delete()
    Standing.objects.all().delete()
    Rating.objects.bulk_create(ratings, batch_size=500)
    Standing.objects.bulk_create(standings, batch_size=500)


# --- parts -----------------------------------------------------------------------------------


def _ended(match: Match) -> datetime:
    assert match.finished is not None  # noqa: S101 - for the type checker
    return match.finished


def _holders(seats: Sequence[Seat]) -> list[Holder]:
    """List who held the seats, in order; nobody, if a seat was a bot's from the start."""
    holders = list(Holder.objects.filter(seat__in=seats).order_by("pk"))
    return holders if {holder.seat_id for holder in holders} == {seat.pk for seat in seats} else []


def _locked(users: Sequence[int], game: str) -> list[Standing]:
    """Lock where these people stand, in one order, so that two matches that end together wait."""
    new = Strength()
    Standing.objects.bulk_create(
        [Standing(user_id=user, game_slug=game, mu=new.mu, sigma=new.sigma) for user in users],
        ignore_conflicts=True,
    )
    rows = Standing.objects.select_for_update().filter(user__in=users, game_slug=game)
    return list(rows.order_by("user"))


def _is_nursed(holders: Sequence[Holder]) -> bool:
    """Tell whether a caretaker made more than half of the turns of any seat."""
    turns: dict[int, list[int]] = {}
    for holder in holders:
        count = turns.setdefault(holder.seat_id, [0, 0])
        count[0] += holder.caretaker_turns
        count[1] += holder.turns + holder.missed
    return any(nursed > own for nursed, own in turns.values())


def _has_counted(user: int, now: datetime, books: Books) -> bool:
    """Tell whether an absence has counted already and the person has not moved since."""
    since = books.absences.get(user)
    if since is None or since <= now - AWAY:
        return False
    moved = Move.objects.filter(
        by=Move.By.PLAYER,
        at__gt=since,
        at__lte=now,
        match__seats__user=user,
        match__seats__index=F("seat"),
    )
    return not moved.exists()


def _note(note: str, ended: str) -> str:
    late = note == Rating.Note.LEFT and ended == Holder.Ended.TIMED_OUT
    return Rating.Note.TIMED_OUT if late else note
