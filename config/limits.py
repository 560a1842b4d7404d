"""How often something may be done: counted in the cache, by whoever does it.

A cache that is away counts nothing: better one too many than nobody served.
"""

from ipaddress import IPv6Address, IPv6Network, ip_address

from allauth.account.adapter import get_adapter
from django.core.cache import cache
from django.http import HttpRequest

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60
NEW_MATCHES_PER_HOUR = 60  # from one address: a family plays less, a script wants more

HOUSEHOLD = 64  # bits of an IPv6 address: whoever has one has all that begin like it


def whence(request: HttpRequest) -> str:
    """Tell from where somebody asks, so that nobody counts as many by changing addresses."""
    address = ip_address(get_adapter(request).get_client_ip(request))
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, HOUSEHOLD), strict=False))
    return str(address)


def spent(what: str, who: object, *, most: int, seconds: int) -> bool:
    """Count one more; tell whether it was more than `most` within the span."""
    key = f"{what}:{who}"
    cache.add(key, 0, timeout=seconds)
    try:
        return cache.incr(key) > most
    except ValueError:
        return False
