"""Settings of a test run: the site's own, in a throw-away folder; quick passwords, small pictures.

`TEST_DB=postgres` runs the tests on a private PostgreSQL. It is started here, before Django
reads its settings, once for all xdist workers; without PostgreSQL the run stops and says why,
for tests that fall back to SQLite in silence prove nothing.
"""

import atexit
import os
import shutil
import sys
import tempfile

from tests import services

VAR = tempfile.mkdtemp(prefix="nilepost-")
atexit.register(shutil.rmtree, VAR, ignore_errors=True)

for name in ("DEBUG", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SITE_URL", "SECRET_KEY"):
    os.environ.pop(name, None)
os.environ["NILEPOST_VAR"] = VAR
if os.environ.get("TEST_DB", "sqlite") == "postgres":
    # The first process starts the server; xdist's workers inherit its address.
    if "TEST_DATABASE_URL" not in os.environ:
        server = services.start_postgres()
        if server.address is None:
            sys.exit(f"TEST_DB=postgres: {server.note}")
        os.environ["TEST_DATABASE_URL"] = server.address
    os.environ["DATABASE_URL"] = os.environ["TEST_DATABASE_URL"]
# Playwright's sync API keeps an event loop in the test's thread, where Django refuses the ORM.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STORAGES  # noqa: E402

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as in real life: threads and WAL behave differently in memory.
    DATABASES["default"]["TEST"] = {"NAME": f"{VAR}/test.sqlite3"}
    # And whoever asks for rows in no order gets them the other way round than from PostgreSQL.
    DATABASES["default"]["OPTIONS"]["init_command"] += (
        "PRAGMA synchronous=OFF; PRAGMA reverse_unordered_selects=ON;"
    )
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage",
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {}
MAIL_PICTURE_WIDTH = 207  # the same picture: but painting it takes longer than anything else
ACCOUNT_RATE_LIMITS = False
WHITENOISE_AUTOREFRESH = True
