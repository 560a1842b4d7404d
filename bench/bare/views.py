"""Lock the row, read and write its JSON, keep the move, answer."""

import orjson
from django.db import transaction
from django.http import HttpRequest, HttpResponse

from bench.bare.models import Board, Step


def move(request: HttpRequest) -> HttpResponse:
    with transaction.atomic(durable=True):
        board = Board.objects.select_for_update().get(pk=request.POST["board"])
        state = orjson.loads(board.state)
        state["moves"] += 1
        board.state = orjson.dumps(state).decode()
        board.save()
        Step.objects.create(board=board, text=request.POST["move"])
    return HttpResponse("done")
