"""A Redis cache that forgets instead of failing.

What a cache holds can be computed again, so a Redis that is away must slow the site down, not
stop it: every read then misses and every write is dropped.
"""

from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError


def forgiving(name: str, otherwise: Any) -> Callable[..., Any]:
    """Wrap one method of the cache; without Redis it returns `otherwise`."""

    def method(self: RedisCache, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(RedisCache, name)(self, *args, **kwargs)
        except RedisError:
            return otherwise

    return method


class ForgivingRedisCache(RedisCache):
    add = forgiving("add", otherwise=True)
    set = forgiving("set", otherwise=None)
    touch = forgiving("touch", otherwise=False)
    delete = forgiving("delete", otherwise=False)
    has_key = forgiving("has_key", otherwise=False)
    set_many = forgiving("set_many", otherwise=[])
    delete_many = forgiving("delete_many", otherwise=None)
    clear = forgiving("clear", otherwise=False)

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError:
            return default

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        try:
            return super().get_many(keys, version)
        except RedisError:
            return {}

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        try:
            return super().incr(key, delta, version)
        except RedisError:
            # What Django's caches say of a key they do not have.
            raise ValueError(f"Key {key!r} not found") from None
