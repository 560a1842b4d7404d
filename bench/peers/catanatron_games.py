"""Whole games of catanatron between four of its own random players. Run by peers/__init__.py."""

import random

from catanatron import Color, Game, RandomPlayer

from bench.measure import serve


def play() -> int:
    game = Game([RandomPlayer(color) for color in Color])
    game.play()
    return len(game.state.actions)


if __name__ == "__main__":
    random.seed(1)
    serve(play)
