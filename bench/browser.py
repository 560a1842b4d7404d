"""A player's browser as far as the server can tell: requests made straight to the WSGI application.

Everything a real request passes through is passed through, save the socket. Also a bare client
for the bare application, which has no middleware at all.
"""

import io
from collections.abc import Callable
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.wsgi import get_wsgi_application
from django.test import Client, override_settings
from django.utils.crypto import get_random_string

from accounts.models import User

Application = Callable[..., Any]


class Answer(NamedTuple):
    status: int
    body: bytes


def site() -> Application:
    return get_wsgi_application()


def bare() -> Application:
    """The same server without middleware; the list is read when the application is made."""
    with override_settings(MIDDLEWARE=[]):
        return WSGIHandler()


class Browser:
    def __init__(self, application: Application, user: User | None = None) -> None:
        self.application = application
        self.secret = get_random_string(32)
        cookies = SimpleCookie({settings.CSRF_COOKIE_NAME: self.secret})
        if user:
            client = Client()
            client.force_login(user, "django.contrib.auth.backends.ModelBackend")
            cookies[settings.SESSION_COOKIE_NAME] = client.cookies[
                settings.SESSION_COOKIE_NAME
            ].value
        self.cookies = cookies.output(attrs=[], header="", sep=";").strip()

    def get(self, address: str, **headers: str) -> Answer:
        return self._ask("GET", address, b"", headers)

    def post(self, address: str, form: dict[str, str], **headers: str) -> Answer:
        headers |= {
            "HTTP_X_CSRFTOKEN": self.secret,
            "CONTENT_TYPE": "application/x-www-form-urlencoded",
        }
        return self._ask("POST", address, urlencode(form).encode(), headers)

    def _ask(self, method: str, address: str, body: bytes, headers: dict[str, str]) -> Answer:
        path, _, query = address.partition("?")
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "SCRIPT_NAME": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8000",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost:8000",
            "HTTP_COOKIE": self.cookies,
            "HTTP_ACCEPT_LANGUAGE": "en",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
            "wsgi.url_scheme": "http",
            **headers,
        }
        status: list[str] = []
        response = self.application(environ, lambda line, _headers: status.append(line))
        answer = Answer(int(status[0].split()[0]), b"".join(response))
        response.close()
        return answer
