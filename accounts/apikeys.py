"""Keys of programs that act for a user: made once, shown once, kept as a fingerprint.

A key has 256 bits of chance, so that its plain SHA-256 tells nobody anything.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.utils import timezone

from accounts.models import ApiKey, User
from config.trouble import by_the_way

MOST_KEYS = 10
START = "nile_"  # lets programs that look for lost secrets find one
USE_NOTED = timedelta(hours=1)  # not at every request: each time costs a write


def key_create(user: User, name: str) -> str:
    """Make a key and give it away: it cannot be read again. Empty: there are too many."""
    if user.api_keys.count() >= MOST_KEYS:
        return ""
    secret = START + secrets.token_urlsafe(32)
    ApiKey.objects.create(user=user, name=name, digest=_digest(secret))
    return secret


def key_revoke(user: User, key: int) -> None:
    """Forget a key of this user; whoever uses it is turned away from now on."""
    user.api_keys.filter(pk=key).delete()


def key_owner(secret: str) -> User | None:
    """Find for whom a key acts."""
    if not secret.startswith(START):
        return None
    digest = _digest(secret)
    key = ApiKey.objects.select_related("user").filter(digest=digest, user__is_active=True).first()
    if key is None:
        return None
    now = timezone.now()
    if key.used is None or now - key.used > USE_NOTED:
        with by_the_way():
            ApiKey.objects.filter(pk=key.pk).update(used=now)
    return key.user


def _digest(secret: str) -> str:
    return sha256(secret.encode(errors="replace")).hexdigest()
