"""What a tap on each part of an Obelisk table does, given the legal moves and what is held.

A card in the hand is picked up first (`R4a`) and then put somewhere: on an obelisk, on the plot
for a new one, into the market, or on a card of the other depot. Tapping the place first works as
well. What cannot be done now sends the move that the rules will explain. Knows no rule itself.
"""

from typing import Any

from games.catalogue import Scene
from games.clicks import DROP, Click, Reach, why
from games.engine.contract import Atom, Move, write
from games.obelisk.texts import ACTIONS, CARDS, JOKERS

VERBS = ("lay_foundation", "place_market", "build", "trade")  # those that ask for a card first


class Taps:
    """One scene, seen by the seat that looks at it; nobody else taps anything."""

    def __init__(self, scene: Scene) -> None:
        hold = scene.hold[1:] if scene.hold[:1] == ("play_action",) else scene.hold
        you = scene.view["you"]
        self.view = scene.view
        self.allowed = you is not None and scene.view["phase"] != "over"
        self.setup = scene.view["phase"] == "setup_market"
        self.duel = scene.view["mode"] == "duel"
        seats = scene.view["seats"]
        self.hand: list[str] = seats[you]["hand"] if self.allowed else []
        self.depot: list[str] = seats[1 - you]["hand"] if self.allowed and self.duel else []
        self.reach = Reach(scene.moves, hold)
        self.hold = hold
        self.held = str(hold[0]) if hold else ""
        self.card = self._card()
        self.aims = self._aims() if self.held in ACTIONS else {}

    def _card(self) -> str:
        """The building card that is held, also where a verb was chosen before it."""
        at = self.hold[1:2] if self.held in VERBS else self.hold[:1]
        return str(at[0]) if at and (at[0] in CARDS or at[0] in JOKERS) else ""

    def _first(self, *tries: Click | None) -> Click | None:
        return next((tap for tap in tries if tap), None) if self.allowed else None

    # --- quarry and display -------------------------------------------------------------------

    def pile(self, spot: int) -> Click | None:
        turn: dict[str, Any] = self.view["turn"] or {}
        way: Move = (turn.get("direction") or "cw",) if self.duel else ()
        return self._first(self.reach.go("take", spot), why("take", spot, *way))

    def ways(self) -> list[Move]:
        """The directions to choose from once a pile is picked that can be reached both ways."""
        picked = self.allowed and self.held == "take" and len(self.hold) == 2
        return [move for move in self.reach.starting(*self.hold) if len(move) > 2] if picked else []

    def slot(self, slot: int) -> Click | None:
        return self._first(self.reach.go("pick_action", slot), why("pick_action", slot))

    def decline(self) -> Click | None:
        return self._first(self.reach.go("decline_action"), why("decline_action"))

    # --- cards --------------------------------------------------------------------------------

    def own_card(self, card: str) -> Click | None:
        if self.setup:
            return self._opening(card)
        if card == self.card:
            return self._first(DROP)
        onto = None
        if self.held in VERBS and not self.card:
            onto = self.reach.go(self.held, card, *self.hold[1:])
        elif self.held in self.depot:
            onto = self.reach.go("trade", card, self.held)
        return self._first(
            onto, self.aims.get((card,)), self.reach.pick(card), why("lay_foundation", card)
        )

    def _opening(self, card: str) -> Click | None:
        """The first tap picks a card up, the second makes the pair."""
        held = self.hold[-1] if self.hold else ""
        pair = [
            self.reach.go("choose_market", *two) for two in ((held, card), (card, held)) if held
        ]
        return self._first(*pair, self.reach.pick(card), why("choose_market", card, card))

    def other_card(self, card: str) -> Click | None:
        """A card of the other open depot: the held card is traded for it."""
        if card not in self.depot:
            return None
        return self._first(
            self.reach.go("trade", self.card, card) if self.card else None,
            self.aims.get((card,)),
            self.reach.pick(card),
            why("trade", self.hand[0], card),
        )

    def own_action(self, card: str) -> Click | None:
        onto = self.reach.go("place_market", card) if self.held == "place_market" else None
        return self._first(onto, self.reach.pick(card), why("play_action", card))

    def play(self, card: str) -> Click | None:
        """Play a held action card with the targets chosen so far."""
        return self._first(self.aims.get(())) if self.held == card else None

    # --- places -------------------------------------------------------------------------------

    def obelisk(self, number: int) -> Click | None:
        if self.card:
            return self._first(
                self.reach.go("build", self.card, number, "top"),
                self.bottom(number),
                why("build", self.card, number, "top"),
            )
        blocked = why("build", self.hand[0], number, "top") if self.hand else None
        return self._first(self._room(number), blocked)

    def _room(self, number: int) -> Click | None:
        """An obelisk that is chosen before the card: what fits on its top, else at its foot."""
        ends = {move[3] for move in self.reach.starting("build") if move[2] == number}
        end = "top" if "top" in ends else "bottom"
        return self.reach.pick("build", number, end) if ends else None

    def bottom(self, number: int) -> Click | None:
        return self._first(
            self.reach.go("build", self.card, number, "bottom") if self.card else None
        )

    def values(self, number: int) -> list[Move]:
        """The values a held joker may have on an obelisk that was chosen for it."""
        if not self.allowed or self.hold[:3] != ("build", self.card, number):
            return []
        return [move for move in self.reach.starting(*self.hold) if len(move) > len(self.hold)]

    def plot(self) -> Click | None:
        """Room for a new obelisk, on a card of the hand or on a coloured foundation."""
        if self.held in ACTIONS:
            return self._first(
                self.play(self.held) if self.held.startswith("foundation") else None,
                self.reach.pick("lay_foundation"),
            )
        return self._onto("lay_foundation")

    def own_stall(self) -> Click | None:
        return self._onto("place_market")

    def _onto(self, verb: str) -> Click | None:
        held = self.card or (self.held if self.held in ACTIONS else "")
        card = held or (self.hand[0] if self.hand else "")
        return self._first(
            self.reach.go(verb, held) if held else self.reach.pick(verb),
            why(verb, card) if card else None,
        )

    def stall(self, seat: int) -> Click | None:
        return self._first(self.reach.go("buy_market", seat), why("buy_market", seat))

    def stall_card(self, seat: int, card: str) -> Click | None:
        """A card in somebody's market, while an action card is aimed."""
        return self._first(self.aims.get((seat, card)))

    # --- action cards that need targets -------------------------------------------------------

    def _aims(self) -> dict[Move, Click]:
        """What can be added to the held action card; () stands for playing it as it is.

        The order of the targets means nothing to a player: the hold is compared with the moves
        as a set and written in the order of a move that has all of it.
        """
        chosen = frozenset(self.hold)
        near = {
            frozenset(move[1:]): move
            for move in self.reach.starting("play_action", self.held)
            if chosen.issubset(move)
        }
        aims: dict[Move, Click] = {}
        if chosen in near:
            aims[()] = Click(write(near[chosen]), "post")
        width = 1 if self.duel else 2  # a card, or a seat and a card
        for move in near.values():
            for place in range(2, len(move), width):
                target = move[place : place + width]
                if target not in aims and not chosen.issuperset(target):
                    aims[target] = self._aimed(chosen.union(target), move, near)
        return aims

    @staticmethod
    def _aimed(chosen: frozenset[Atom], move: Move, near: dict[frozenset[Atom], Move]) -> Click:
        if chosen in near and not any(atoms > chosen for atoms in near):
            return Click(write(near[chosen]), "post")
        return Click(write(tuple(atom for atom in move[1:] if atom in chosen)), "hold")
