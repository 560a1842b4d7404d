"""Pasts of many matches, written as rows, and the pages that tell of them."""

import re
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from accounts.models import User
from games.models import Holder, Match, Rating, Seat, Standing

START = datetime(2026, 1, 1, tzinfo=UTC)


def as_(user: User | None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    return client


def words(answer) -> str:
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def past(one: User, other: User, count: int, **fields: object) -> list[Match]:
    """Many finished matches of two, won by the first in turns, written as rows."""
    first = Match.objects.count()
    common = {"game_slug": "obelisk", "version": 1, "seats_wanted": 2, "status": "finished"}
    common |= {"pace_slug": "standard", "seed": "00" * 32, "rated": True} | fields
    matches = Match.objects.bulk_create(
        Match(link=f"link{first + n}", finished=START + timedelta(hours=n), **common)
        for n in range(count)
    )
    seats, holders, ratings = [], [], []
    for number, match in enumerate(matches):
        for index, user in enumerate((one, other)):
            rank = 1 + (index + number) % 2
            score = [60 - 10 * rank, 0]
            seats.append(Seat(match=match, index=index, user=user, rank=rank, score=score))
            rating = Rating(match=match, user=user, game_slug=match.game_slug, at=match.finished)
            rating.mu_before, rating.mu = 25.0, 25.5
            rating.sigma_before, rating.sigma = 3.0, 2.9
            ratings.append(rating)
    for seat in Seat.objects.bulk_create(seats):
        holder = Holder(seat=seat, user=seat.user, since=START, ended="played", turns=9, missed=1)
        holder.responses = [3600, 7200, 7300]
        moment = int(START.timestamp()) + seat.match.pk
        holder.marks = [moment] * 9 + [-moment]
        holder.marked = START + timedelta(seconds=seat.match.pk)
        holders.append(holder)
    Holder.objects.bulk_create(holders)
    Rating.objects.bulk_create(ratings)
    for user in (one, other):
        Standing.objects.update_or_create(
            user=user, game_slug="obelisk", defaults={"mu": 25.5, "sigma": 2.9, "matches": count}
        )
    return matches


def queries_of(address: str) -> int:
    client = Client()
    client.get(address)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address)
        assert answer.getvalue()  # streamed answers too
    assert answer.status_code == 200
    return len(captured)


def listed(address: str, user: User | None = None) -> list[int]:
    page = as_(user).get(address).content.decode()
    return [int(pk) for pk in re.findall(r'<a href="/matches/(\d+)/">', page)]
