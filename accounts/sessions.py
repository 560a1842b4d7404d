"""Sessions in the database, as Django keeps them; a forged key is not even looked up.

PostgreSQL refuses a text with a NUL in it, which a cookie can carry. And a session that cannot be
written is none that somebody has ended, which Django takes it for.
"""

from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError

from config.trouble import TROUBLE


class SessionStore(db.SessionStore):
    def _validate_session_key(self, key: str) -> bool:
        return bool(super()._validate_session_key(key)) and key.isalnum()  # type: ignore[misc]

    def save(self, must_create: bool = False) -> None:
        try:
            super().save(must_create)
        except UpdateError as ended:
            if isinstance(ended.__context__, TROUBLE):
                raise ended.__context__ from None
            raise
