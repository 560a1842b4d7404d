"""Whole random games of OpenSpiel's gin rummy (C++) driven from Python. Run by peers/__init__.py.

Only the players' decisions are counted as moves; the deals are chance and come on top.
"""

import random

import pyspiel

from bench.measure import serve

GAME = pyspiel.load_game("gin_rummy")


def play() -> int:
    state, moves = GAME.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, weights)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
    return moves


if __name__ == "__main__":
    random.seed(1)
    serve(play)
