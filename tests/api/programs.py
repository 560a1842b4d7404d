"""Programs that ask the API as anybody's would, and hold each answer against the description."""

import json

from django.test import Client

from accounts.apikeys import key_create
from accounts.models import User
from games.api.description import SHAPES, document
from games.api.shapes import faults

# An answer may gain a field, but not before it is described.
CLOSED = {name: schema | {"additionalProperties": False} for name, schema in SHAPES.items()}


class Program:
    """Somebody's program: asks, and sees to it that the answer is as the description says."""

    def __init__(self, user: User) -> None:
        self.secret = key_create(user, "test")
        self.client = Client(enforce_csrf_checks=True)

    def ask(self, address: str, sent: object = None, **headers: str):
        headers = {"HTTP_AUTHORIZATION": f"Bearer {self.secret}"} | headers
        path = address.partition("?")[0]
        if sent is None:
            answer = self.client.get(address, **headers)
        else:
            body = sent if isinstance(sent, bytes) else json.dumps(sent)
            kind = "application/json"
            answer = self.client.post(address, body, content_type=kind, **headers)
        method = "get" if sent is None else "post"
        assert described(path, method, answer) == []
        return answer

    def told(self, address: str, sent: object = None):
        answer = self.ask(address, sent)
        assert answer.status_code == 200, answer.content
        return answer.json()


def described(path: str, method: str, answer) -> list[str]:
    """What in an answer is not as the description says."""
    place = "/".join("{match_id}" if part.isdecimal() else part for part in path.split("/"))
    if answer.status_code == 204:
        return []
    told = document("")["paths"][place][method]["responses"][str(answer.status_code)]
    schema = told["content"]["application/json"]["schema"]
    return list(faults(answer.json(), schema, CLOSED))
