"""How the site is put together: settings, addresses, Celery, and the commands that run it.

Importing the package makes the Celery app known, so that tasks find it wherever Django starts.
"""

from config.celery import app as celery_app

__all__ = ["celery_app"]
