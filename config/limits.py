"""How often something may be done: counted in the cache, by whoever does it.

A cache that is away counts nothing: better one too many than nobody served.
"""

from django.core.cache import cache

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
NEW_MATCHES_PER_HOUR = 60  # from one address: a family plays less, a script wants more


def spent(what: str, who: object, *, most: int, seconds: int) -> bool:
    """Count one more; tell whether it was more than `most` within the span."""
    key = f"{what}:{who}"
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key) > most
    except ValueError:
        return False
