"""Tricks, a hidden-hand game of 54 moves that is measured on our engine and on boardgame.io.

Three seats hold 18 cards each and play one in turn; a seat must follow the suit led if it can;
the highest card of that suit takes the trick. The same rules stand in peers/boardgameio_games.js.
"""

from dataclasses import dataclass
from typing import Self

from games.engine.contract import Move, Options, State, View
from games.engine.table import Table

SEATS, CARDS, SUITS = 3, 54, 3


@dataclass(slots=True)
class Tricks(State):
    active: int
    trick: list[int]  # cards lying open, the one led first
    taken: list[int]  # tricks, by seat
    hands: list[list[int]]

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        deck = list(range(CARDS))
        table.shuffle(deck)
        held = CARDS // seats
        hands = [deck[seat * held : (seat + 1) * held] for seat in range(seats)]
        return cls(active=0, trick=[], taken=[0] * seats, hands=hands)

    def to_act(self) -> list[int]:
        return [self.active] if self.hands[self.active] else []

    def legal(self, seat: int) -> list[Move]:
        hand = self.hands[seat]
        if self.trick:
            suit = self.trick[0] % SUITS
            hand = [card for card in hand if card % SUITS == suit] or hand
        return [("play", card) for card in hand]

    def apply(self, seat: int, move: Move, table: Table) -> None:
        card = int(move[1])
        self.hands[seat].remove(card)
        self.trick.append(card)
        table.tell("played", seat=seat, card=card)
        self.active = (seat + 1) % SEATS
        if len(self.trick) == SEATS:
            suit = self.trick[0] % SUITS
            best = max(card for card in self.trick if card % SUITS == suit)
            self.taken[self.trick.index(best)] += 1
            self.trick = []

    def view(self, seat: int | None) -> View:
        return {
            "active": self.active,
            "trick": self.trick[:],
            "taken": self.taken[:],
            "hand": [] if seat is None else self.hands[seat][:],
        }

    def determinize(self, seat: int, table: Table) -> Self:
        twin = self.clone()
        others = [other for other in range(SEATS) if other != seat]
        unknown = [card for other in others for card in twin.hands[other]]
        table.shuffle(unknown)
        for other in others:
            twin.hands[other] = [unknown.pop() for _ in twin.hands[other]]
        return twin

    def scores(self) -> list[tuple[int, ...]]:
        return [(taken,) for taken in self.taken]
