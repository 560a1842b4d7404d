"""Favourites and blocks. Who blocks somebody is not told to them; both are kept apart."""

from collections.abc import Collection

from django.db.models import Q, QuerySet

from accounts.models import Tie, User


def tie_set(*, user: User, other: User, kind: str) -> None:
    """Make somebody a favourite, or block them; the one ends the other."""
    if user.pk != other.pk:
        Tie.objects.update_or_create(user=user, other=other, defaults={"kind": kind})


def tie_cut(*, user: User, other: User) -> None:
    Tie.objects.filter(user=user, other=other).delete()


def tie_between(user: object, other: User) -> str:
    """Say what a user makes of another: a Tie.Kind, or nothing."""
    if not isinstance(user, User):
        return ""
    kinds = Tie.objects.filter(user=user, other=other).values_list("kind", flat=True)
    return kinds.first() or ""


def people_tied(user: User, kind: str) -> QuerySet[User]:
    """List a user's favourites, or those blocked by the user, by name."""
    return User.objects.filter(tied_by__user=user, tied_by__kind=kind, is_active=True).order_by(
        "username"
    )


def apart_from(user: User) -> set[int]:
    """Give everybody who blocks this user or is blocked by them."""
    rows = Tie.objects.filter(Q(user=user) | Q(other=user), kind=Tie.Kind.BLOCKED)
    return {pk for row in rows.values_list("user", "other") for pk in row} - {user.pk}


def kept_from(user: User, author: str) -> Q:
    """Say, as a condition on rows, that their author and a user are kept apart."""
    blocks = Tie.objects.filter(kind=Tie.Kind.BLOCKED)
    return Q(**{f"{author}__in": blocks.filter(user=user).values("other")}) | Q(
        **{f"{author}__in": blocks.filter(other=user).values("user")}
    )


def are_apart(user: User, others: Collection[int | None]) -> bool:
    """Tell whether there is a block between a user and anybody of these."""
    known = [pk for pk in others if pk and pk != user.pk]
    between = Q(user=user, other__in=known) | Q(other=user, user__in=known)
    return bool(known) and Tie.objects.filter(between, kind=Tie.Kind.BLOCKED).exists()
