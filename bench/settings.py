"""Settings of a measured child: the site's own, on a throw-away folder and database.

Durability, middleware and passwords stay as in real life; BENCH_DATABASE_URL names the database.
"""

import atexit
import os
import shutil
import tempfile

VAR = tempfile.mkdtemp(prefix="nilepost-bench-")
atexit.register(shutil.rmtree, VAR, ignore_errors=True)

for name in ("DEBUG", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SITE_URL", "SECRET_KEY"):
    os.environ.pop(name, None)
os.environ["NILEPOST_VAR"] = VAR
if url := os.environ.get("BENCH_DATABASE_URL"):
    os.environ["DATABASE_URL"] = url

from config.settings import *  # noqa: E402, F403
from config.settings import INSTALLED_APPS, STATIC_ROOT, STORAGES  # noqa: E402

INSTALLED_APPS += ["bench.bare"]
ROOT_URLCONF = "bench.urls"
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage",
}
STATIC_ROOT.mkdir()
