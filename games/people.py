"""Reads about people around matches: what was said, and who is met where."""

from django.db.models import QuerySet

from accounts.models import User
from accounts.ties import kept_from
from games.models import Match, Message, Notebook
from games.queries import seat_of

MESSAGES_SHOWN = 200


def may_hear(match: Match, user: object) -> bool:
    """While a match runs its chat is its players'; afterwards whoever may watch may read it."""
    over = match.status in (Match.Status.FINISHED, Match.Status.CANCELLED)
    return over or seat_of(match, user) is not None


def messages_for(match: Match, user: object) -> QuerySet[Message]:
    """List what was said, but for what comes from people kept apart from the reader."""
    said = Message.objects.filter(match=match).select_related("author").order_by("-pk")
    if isinstance(user, User):
        said = said.exclude(kept_from(user, "author"))
    return said[:MESSAGES_SHOWN]


def messages_new_to(match: Match, user: User) -> list[Message]:
    """List what others have said since a player last looked, the latest first."""
    read = notebook_of(match, user).read
    others = (one for one in messages_for(match, user) if one.author_id != user.pk)
    return [one for one in others if one.pk > read and one.text]


def notebook_of(match: Match, user: User) -> Notebook:
    """Give a player's notes on a match; empty ones if nothing was written."""
    book = Notebook.objects.filter(match=match, user=user).first()
    return book or Notebook(match=match, user=user)
