"""All settings of the site, in one file: values come from the environment, defaults are safe.

With an empty environment the site runs by itself: SQLite, a broker made of files, and mail
kept in the database. `DATABASE_URL`, `REDIS_URL` and `EMAIL_URL` switch each of these to a
real server; nothing else changes. The variables are listed in the README.
"""

import contextlib
import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _

from config.sentry import report_to

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

# Everything the site writes to disk; never part of the repository.
VAR_DIR = Path(env.str("NILEPOST_VAR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(parents=True, exist_ok=True)


def secret_key() -> str:
    """Return this installation's own key, made on first use and readable by its owner only."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        aside = VAR_DIR / f"secret_key.{os.getpid()}"
        aside.touch(mode=0o600)
        aside.write_text(secrets.token_urlsafe(50))
        # Processes that start together agree on one key: only the first link succeeds.
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
        aside.unlink()
    return path.read_text()


DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or secret_key()

# --- where the site is ---------------------------------------------------------------------------

SITE_NAME = "Nilepost"
SITE_URL = env.str("SITE_URL", default="http://localhost:8000").rstrip("/")
SITE_HOST = urlsplit(SITE_URL).hostname or "localhost"
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
ALLOWED_HOSTS = [*LOCAL_HOSTS, SITE_HOST, *env.list("ALLOWED_HOSTS", default=[])]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

# --- what it is made of --------------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "anymail",
    "config",
    "accounts",
    "games",
]
MIDDLEWARE = [
    "config.logs.RequestLog",
    "config.guards.KeptByNobody",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "config.guards.Readable",
    "config.trouble.Sessions",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PreferencesMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.MembersMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.guards.Explained",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.site",
            ],
        },
    },
]

# --- database ------------------------------------------------------------------------------------

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'db.sqlite3'}")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if "ENGINE" not in DATABASES["default"]:
    raise ImproperlyConfigured("DATABASE_URL is no postgresql://user:password@host/name")
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # IMMEDIATE makes writers queue instead of failing halfway; 20 s is how long they wait.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
# One connection for each process, kept: opening the file anew costs as much as a whole poll.
DATABASES["default"]["CONN_MAX_AGE"] = 60
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True

# --- broker and cache ----------------------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default="")
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    # A dead Redis must cost a player half a second at most: the database keeps the work anyway.
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, object] = {
        "socket_connect_timeout": 0.5,
        "socket_timeout": 0.5,
        "max_retries": 0,
    }
    CACHES = {
        "default": {
            "BACKEND": "config.cache.ForgivingRedisCache",
            "LOCATION": REDIS_URL,
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        }
    }
else:
    BROKER_DIR = VAR_DIR / "broker"
    BROKER_DIR.mkdir(exist_ok=True)
    CELERY_BROKER_URL = "files://localhost//"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR),
        "data_folder_out": str(BROKER_DIR),
        "control_folder": str(BROKER_DIR),
        "processed_folder": str(BROKER_DIR),
        "polling_interval": 0.05,
    }
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "OPTIONS": {"MAX_ENTRIES": 20_000},  # it counts: what is dropped is not limited
        }
    }

CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker for ever
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_ACKS_LATE = True  # a worker takes no more than it can run
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
# It keeps no file of when it last ran: ticks are seconds apart, and on a full disk it would end.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_TIMEZONE = "UTC"

# --- languages and times -------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("nl", _("Dutch"))]
LOCALE_PATHS = [BASE_DIR / "config" / "locale", *sorted(BASE_DIR.glob("games/*/locale"))]
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
USE_TZ = True
TIME_ZONE = "UTC"

# --- accounts ------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.passwords.NotLikeOneself"},
    {"NAME": "accounts.passwords.LongEnough"},
    {"NAME": "accounts.passwords.NotCommon"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/matches/"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_FORMS = {
    "signup": "accounts.entrance.SignUp",
    "login": "accounts.entrance.LogIn",
    "reauthenticate": "accounts.entrance.IsItYou",
    "add_email": "accounts.entrance.NewAddress",
    "change_password": "accounts.entrance.ChangePassword",
    "set_password": "accounts.entrance.FirstPassword",
    "reset_password": "accounts.entrance.ForgottenPassword",
    "reset_password_from_key": "accounts.entrance.PasswordFromMail",
}
ACCOUNT_USERNAME_VALIDATORS = "accounts.names.MEMBER_NAME_VALIDATORS"
ACCOUNT_EMAIL_VERIFICATION = "optional"
# Signing up with somebody's address looks like any other sign-up; only one of the two can ever
# confirm it, and no mail of the site goes to an address that is not confirmed.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_CHANGE_EMAIL = (
    True  # one address for each member: a new one replaces the old when confirmed
)
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False  # this browser stays; all others are logged out
ACCOUNT_RATE_LIMITS = {"signup": "20/h/ip"}  # the others are allauth's own
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Two may name an address, so one that is not confirmed shuts nobody out: it need not keep anybody
# from a second step, nor a second step from a new address.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_ADAPTER = "accounts.keys.KeyRing"
MFA_FORMS = {
    "authenticate": "accounts.keys.CodeForm",
    "reauthenticate": "accounts.keys.CodeAgainForm",
    "activate_totp": "accounts.keys.AppForm",
    "add_webauthn": "accounts.keys.KeyForm",
    "login_webauthn": "accounts.keys.LoginKeyForm",
    "authenticate_webauthn": "accounts.keys.SecondKeyForm",
    "reauthenticate_webauthn": "accounts.keys.KeyAgainForm",
    "edit_webauthn": "accounts.keys.KeyNameForm",
}
MFA_TOTP_ISSUER = SITE_NAME
# Browsers allow passkeys without https on one's own machine only.
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = SITE_HOST == "localhost"

# A year since the last visit; PreferencesMiddleware renews the session now and then.
SESSION_COOKIE_AGE = 365 * 24 * 60 * 60
SESSION_ENGINE = "accounts.sessions"

# --- mail ----------------------------------------------------------------------------------------

EMBEDDED_MAILBOX = "accounts.mailbox.DatabaseBackend"
MAIL_PROVIDER = env.str("MAIL_PROVIDER", default="")  # one that django-anymail knows
if MAIL_PROVIDER:
    EMAIL_BACKEND = f"anymail.backends.{MAIL_PROVIDER}.EmailBackend"
elif env.str("EMAIL_URL", default=""):
    vars().update(env.email_url("EMAIL_URL"))
else:
    EMAIL_BACKEND = EMBEDDED_MAILBOX
EMAIL_TIMEOUT = 10
MAIL_PICTURE_WIDTH = 828  # of a board: half as many pixels again as the mail is wide
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default=f"{SITE_NAME} <noreply@{SITE_HOST}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
MAIL_REPLY_TO = env.str("MAIL_REPLY_TO", default="")  # a mailbox somebody reads
# The provider reports bounces at /mail/reports/; without a secret nobody could tell who reports.
MAIL_WEBHOOK_SECRET = env.str("MAIL_WEBHOOK_SECRET", default="")
ANYMAIL = {
    name.removeprefix("ANYMAIL_"): value
    for name, value in os.environ.items()
    if name.startswith("ANYMAIL_")
} | {"WEBHOOK_SECRET": MAIL_WEBHOOK_SECRET or None}
# On one's own machine the outbox page shows every mail: there is nobody to hide it from, and a
# forgotten password could not be reset otherwise.
DEBUG_OUTBOX = env.bool(
    "DEBUG_OUTBOX",
    default=EMAIL_BACKEND == EMBEDDED_MAILBOX and SITE_HOST in {"localhost", "127.0.0.1"},
)

# --- static files --------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}

# --- safety --------------------------------------------------------------------------------------

HTTPS = SITE_URL.startswith("https://")
BEHIND_PROXY = env.bool("BEHIND_PROXY", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [SITE_URL] if HTTPS else []
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if HTTPS else 0
# Whether other hosts of the domain speak HTTPS too is not for this site to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = "same-origin"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = HTTPS
    SECURE_REDIRECT_EXEMPT = ["^(health|ready)/$"]  # asked from within, past the proxy
    ALLAUTH_TRUSTED_PROXY_COUNT = 1
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF, NONCE],  # the boards print their own <style nonce>
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 0

# --- log -----------------------------------------------------------------------------------------

LOG_FORMAT = env.str("LOG_FORMAT", default="line")  # or json
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"marks": {"()": "config.logs.Marks"}},
    "formatters": {
        "line": {
            "()": "config.logs.Lines",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s, match %(match_id)s]: "
            "%(message)s",
        },
        "json": {"()": "config.logs.JsonLines"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["marks"],
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        # What makes no sense can be sent by anybody; that it was refused stands among all requests.
        "django.security": {"level": "CRITICAL"},
        "django.security.csrf": {"level": "WARNING"},
    },
}
if env.str("SENTRY_DSN", default=""):
    report_to(env.str("SENTRY_DSN"))
