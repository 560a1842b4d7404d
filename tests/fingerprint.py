"""Print a digest of recorded matches of one game: `python -m tests.fingerprint obelisk`.

Run under different PYTHONHASHSEEDs it shows whether a match depends on the order of a set.
"""

import hashlib
import json
import sys

from tests.walks import GAMES, Case, record


def fingerprint(slug: str) -> str:
    digest = hashlib.sha256()
    game = next(game for game in GAMES if game.slug == slug)
    for seats in game.seats:
        case = Case(game, seats, game.chosen({}, seats))
        for step in record(case).steps:
            state = step.state
            seen = [state.view(seat) for seat in (*range(case.seats), None)]
            moves = [state.legal(seat) for seat in state.to_act()]
            digest.update(json.dumps([state.dump(), seen, moves, step.lines]).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.stdout.write(fingerprint(sys.argv[1]) + "\n")
