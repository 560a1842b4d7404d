"""Ratings are written once, in the transaction that ends a match.

The same sums over all matches, in the order in which they were rated, give the same numbers again:
`recomputed()` does so without writing, and `ratings_rewrite()` replaces what is kept.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Min, QuerySet

from accounts.models import User
from games.models import Holder, Match, Rating, Seat, Standing
from games.ratings import LEFT, Part, Strength, Verdict, verdicts

AWAY = timedelta(hours=72)  # within which running out of time again and again is one absence
REACH = 2 * AWAY  # what has given a loss of the same absence back lies no farther off
ABSENCE = 2  # times before this one, and not once seen on the site in between: counts once
UNCHANGED = (Rating.Note.ABSENT, Rating.Note.CARETAKER)


class Books:
    """Where everybody stands in each game, and what running out of time has done to them."""

    def __init__(self, standings: Iterable[Standing] = (), late: Iterable[Rating] = ()) -> None:
        self.standings = {(one.user_id, one.game_slug): one for one in standings}
        self.late: dict[int, list[Rating]] = {}
        self.returned: set[tuple[int, int]] = set()  # (user, match)
        for rating in late:
            self._remember(rating)

    def open(self, user: int, game: str) -> Standing:
        new = Strength()
        return self.standings.setdefault(
            (user, game), Standing(user_id=user, game_slug=game, mu=new.mu, sigma=new.sigma)
        )

    def enter(self, rating: Rating) -> Standing:
        standing = self.open(rating.user_id, rating.game_slug)
        standing.mu, standing.sigma = rating.mu, rating.sigma
        standing.matches += (rating.note not in UNCHANGED) - len(rating.returned)
        self._remember(rating)
        return standing

    def _remember(self, rating: Rating) -> None:
        if rating.left:
            self.late.setdefault(rating.user_id, []).append(rating)
        self.returned |= {(rating.user_id, match) for match in rating.returned}

    def absence_of(self, holder: Holder) -> list[Rating]:
        """List what the same absence has done to somebody elsewhere; nothing, if time was left."""
        if holder.ended != Holder.Ended.TIMED_OUT:
            return []
        late = self.late.get(holder.user_id or 0, ())
        return [rating for rating in late if _is_one_absence(rating, holder)]

    def to_return(self, absence: Iterable[Rating]) -> list[Rating]:
        """Pick what an absence has cost too much: all that counted but the first."""
        counted = [
            rating
            for rating in absence
            if rating.note == Rating.Note.TIMED_OUT
            and (rating.user_id, rating.match_id) not in self.returned
        ]
        return sorted(counted, key=lambda rating: (rating.left, rating.match_id))[1:]


def match_rate(match: Match, seats: Sequence[Seat]) -> list[Rating]:
    """Rate everybody who held a seat in a match that has just ended."""
    holders = _holders(seats) if match.rated else []
    if not holders:
        return []
    users = sorted({holder.user_id for holder in holders if holder.user_id})
    books = Books(_locked(users, match.game_slug), _late(holders))
    ratings = judged(match, seats, holders, books)
    for rating in ratings:
        rating.save(force_insert=True)
        books.enter(rating).save()
    return ratings


def judged(
    match: Match, seats: Sequence[Seat], holders: Sequence[Holder], books: Books
) -> list[Rating]:
    """Say what a match does to everybody who held a seat in it; nothing is written."""
    held: dict[int, Holder] = {}
    for holder in holders:  # not an account that is gone, nor who left and came in again
        if holder.user_id is not None:
            held.setdefault(holder.user_id, holder)
    absences = {user: books.absence_of(holder) for user, holder in held.items()}
    excused = {user for user, absence in absences.items() if len(absence) >= ABSENCE}
    before = {user: books.open(user, match.game_slug).strength for user in held}
    found = verdicts(
        list(_parts(seats, holders, held, excused)),
        before,
        is_duel=len(seats) == 2,
        is_nursed=_is_nursed(holders) and not match.rated_with_caretaker,
    )
    ratings = [_rating(match, user, before[user], found[user], held[user]) for user in found]
    for user in found:
        if user in excused:
            ratings += _given_back(match, books, ratings, books.to_return(absences[user]))
    return ratings


def _parts(
    seats: Sequence[Seat],
    holders: Sequence[Holder],
    held: Mapping[int, Holder],
    excused: Container[int],
) -> Iterator[Part]:
    """Say how each took part; who held a seat first is nobody's substitute there."""
    places = {seat.pk: seat.rank or len(seats) for seat in seats}
    first = {holder.seat_id: holder.pk for holder in reversed(holders)}
    for user, holder in held.items():
        yield Part(
            user=user,
            rank=places[holder.seat_id],
            stayed=holder.ended == Holder.Ended.PLAYED,
            is_substitute=first[holder.seat_id] != holder.pk,
            is_excused=user in excused,
        )


def _rating(match: Match, user: int, before: Strength, verdict: Verdict, holder: Holder) -> Rating:
    is_late = holder.ended == Holder.Ended.TIMED_OUT
    return Rating(
        match=match,
        user_id=user,
        game_slug=match.game_slug,
        at=_ended(match),
        mu_before=before.mu,
        sigma_before=before.sigma,
        mu=verdict.strength.mu,
        sigma=verdict.strength.sigma,
        note=Rating.Note.TIMED_OUT if is_late and verdict.note == LEFT else verdict.note,
        left=holder.left if is_late else None,
        seen=holder.seen if is_late else None,
    )


def _given_back(
    match: Match, books: Books, ratings: Sequence[Rating], losses: Iterable[Rating]
) -> list[Rating]:
    """Give losses back that were one absence; tell the ratings this takes in other games."""
    here = {(rating.user_id, rating.game_slug): rating for rating in ratings}
    found = []
    for loss in losses:
        key = loss.user_id, loss.game_slug
        if key not in here:
            here[key] = _untouched(match, *key, books.open(*key).strength)
            found.append(here[key])
        rating = here[key]
        rating.mu += loss.mu_before - loss.mu
        rating.sigma += loss.sigma_before - loss.sigma
        rating.returned = [*rating.returned, loss.match_id]
    return found


def _untouched(match: Match, user: int, game: str, strength: Strength) -> Rating:
    return Rating(
        match=match,
        user_id=user,
        game_slug=game,
        at=_ended(match),
        mu_before=strength.mu,
        sigma_before=strength.sigma,
        mu=strength.mu,
        sigma=strength.sigma,
        note=Rating.Note.ABSENT,
    )


# --- all of it once more ---------------------------------------------------------------------


def recomputed() -> tuple[list[Rating], list[Standing]]:
    """Compute every rating again from the matches, in the order in which they were rated."""
    matches = (
        Match.objects.filter(status=Match.Status.FINISHED, rated=True)
        .annotate(order=Min("ratings__pk"))
        .order_by(F("order").asc(nulls_last=True), "finished", "pk")
        .prefetch_related("seats")
    )
    books = Books()
    ratings = []
    for match in matches.iterator(chunk_size=200):
        seats = list(match.seats.all())
        for rating in judged(match, seats, _holders(seats), books):
            books.enter(rating)
            ratings.append(rating)
    return ratings, list(books.standings.values())


@transaction.atomic
def ratings_rewrite() -> None:
    """Replace all that is kept by what the matches say; a rated match that ends now waits."""
    _lock(Holder.objects.filter(seat__match__rated=True).values("user"))
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
    """Tell where these people stand, in all games; of two matches that end together one waits.

    The people are locked, in one order: a first standing in another game is no row to lock yet.
    """
    _lock(users)
    new = Strength()
    Standing.objects.bulk_create(
        [Standing(user_id=user, game_slug=game, mu=new.mu, sigma=new.sigma) for user in users],
        ignore_conflicts=True,
    )
    return list(Standing.objects.filter(user__in=users))


def _lock(users: Sequence[int] | QuerySet[Holder, Any]) -> None:
    people = User.objects.select_for_update(no_key=True).filter(pk__in=users)
    list(people.order_by("pk").values_list("pk"))


def _late(holders: Sequence[Holder]) -> list[Rating]:
    """List what running out of time has done of late to those who did so now."""
    moments = {
        holder.user_id: holder.left
        for holder in holders
        if holder.ended == Holder.Ended.TIMED_OUT and holder.left
    }
    if not moments:
        return []
    window = (min(moments.values()) - REACH, max(moments.values()) + REACH)
    theirs = Rating.objects.filter(user__in=moments)
    matches = theirs.filter(left__range=window).values("match")
    return list(theirs.filter(match__in=matches).order_by("pk"))


def _is_one_absence(rating: Rating, holder: Holder) -> bool:
    """Tell whether somebody was away from one running out of time to the other."""
    if rating.left is None or holder.left is None:
        return False
    (first, _seen), (second, seen) = sorted(
        [(rating.left, rating.seen), (holder.left, holder.seen)], key=lambda one: one[0]
    )
    return second - first < AWAY and (seen is None or seen <= first)


def _is_nursed(holders: Sequence[Holder]) -> bool:
    """Tell whether a caretaker made more than half of the turns of any seat."""
    turns: dict[int, list[int]] = {}
    for holder in holders:
        count = turns.setdefault(holder.seat_id, [0, 0])
        count[0] += holder.caretaker_turns
        count[1] += holder.turns + holder.missed
    return any(nursed > own for nursed, own in turns.values())
