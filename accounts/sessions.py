"""Sessions in the database, as Django keeps them; a forged key is not even looked up.

PostgreSQL refuses a text with a NUL in it, which a cookie can carry.
"""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str) -> bool:
        return bool(super()._validate_session_key(key)) and key.isalnum()  # type: ignore[misc]
