"""What a tap on each part of a Cheops board does, given the legal moves and what is held.

A family member is picked up first (`place_family son`) and then laid on a block; tapping the
block first works as well. What cannot be done now sends the move that the rules will explain.
Knows no rule itself: only whose turn it is has anything to tap.
"""

from games.catalogue import Scene
from games.cheops.texts import COLOURS, FIELDS, KINDS
from games.clicks import DROP, Click, why
from games.engine.contract import Atom, Move, matches, write

LAYING = ("place_family", "play_secret_passage")
SWAPPING = ("play_exchange_pyramid", "play_exchange_stock")
USES = {  # what using an action tile begins with
    "late_sale": ("play_late_sale",),
    "secret_passage": ("play_secret_passage",),
    "exchange": SWAPPING,
}


class Taps:
    """One scene, seen by the seat that may move in it."""

    def __init__(self, scene: Scene) -> None:
        self.moves = scene.moves
        self.known = frozenset(scene.moves)
        self.verbs = {move[0] for move in scene.moves}
        self.hold = scene.hold
        self.verb = str(scene.hold[0]) if scene.hold else ""
        self.kind = self._held(KINDS)
        self.field = self._held(FIELDS)
        self.colour = self._held(COLOURS)

    def _held(self, family: object) -> str:
        found = [str(atom) for atom in self.hold[1:] if atom in family]  # type: ignore[operator]
        return found[0] if found else ""

    # --- making, holding, asking --------------------------------------------------------------

    def move(self, *move: Atom) -> Click | None:
        """Make a whole move, if it is legal."""
        return Click(write(move), "post") if move in self.known else None

    def take(self, *hold: Atom) -> Click | None:
        """Pick something up that legal moves use; what is held already is put back."""
        if hold == self.hold:
            return DROP
        if not any(matches(hold, move) for move in self.moves):
            return None
        return Click(write(hold), "hold" if not self.hold or self.verb == hold[0] else "anew")

    def ask(self, *move: Atom) -> Click | None:
        return why(*move) if self.moves else None

    # --- the pyramid --------------------------------------------------------------------------

    def block(self, field: str) -> Click | None:
        if not self.moves:
            return None
        if self.verb in LAYING:
            return self._lay(field)
        if self.verb == "hire_neighbour":
            return self.move(self.verb, field) or self.ask(self.verb, field)
        if self.verb in SWAPPING:
            return self._swap(field)
        verb = self._first_verb()
        return self.take(verb, field) or self.ask(verb, field)

    def _first_verb(self) -> str:
        """What a tap on a block begins while nothing is held."""
        pending = ("play_secret_passage", *SWAPPING)
        tried = pending if "keep_law" in self.verbs else ("place_family", "hire_neighbour")
        return next((verb for verb in tried if verb in self.verbs), "place_family")

    def _lay(self, field: str) -> Click | None:
        if self.kind:
            move = (self.verb, self.kind, field)
            return self.move(*move) or self.ask(*move)
        return self.take(self.verb, field) or self.ask(self.verb, field)

    def _swap(self, field: str) -> Click | None:
        """A pair of fields means the same in either order; the moves list one of them."""
        if self.colour:
            move: Move = ("play_exchange_stock", self.colour, field)
            return self.move(*move) or self.ask(*move)
        if self.field and self.field != field:
            pair: Move = ("play_exchange_pyramid", self.field, field)
            return self.move(*pair) or self.move(pair[0], field, self.field) or self.ask(*pair)
        return self.take(self.verb, field) or self.ask(self.verb, field)

    # --- what lies before the seat ------------------------------------------------------------

    def family(self, kind: str) -> Click | None:
        verb = self.verb if self.verb in LAYING else "place_family"
        if verb not in self.verbs and "play_secret_passage" in self.verbs:
            verb = "play_secret_passage"
        if self.field and self.verb in LAYING:
            move = (verb, kind, self.field)
            return self.move(*move) or self.ask(*move)
        return self.take(verb, kind) or self.ask(verb, kind)

    def neighbour(self) -> Click | None:
        if self.verb == "place_family" and self.field and not self.kind:
            return self.move("hire_neighbour", self.field) or self.ask("hire_neighbour", self.field)
        return self.take("hire_neighbour") or self.ask("hire_neighbour")

    def stock(self, colour: str) -> Click | None:
        """Only while something is held, or just turned up, that takes from the stock."""
        late = "play_late_sale"
        if self.verb == late or (not self.verb and {late, "keep_law"} <= self.verbs):
            return self.move(late, colour) or self.ask(late, colour)
        if self.verb in SWAPPING:
            verb = "play_exchange_stock"
            if self.field:
                return self.move(verb, colour, self.field) or self.ask(verb, colour, self.field)
            return self.take(verb, colour) or self.ask(verb, colour)
        return None

    def law(self, law: str) -> Click | None:
        """Use an action tile of one's own."""
        uses = USES[law]
        if self.verb in uses:
            return DROP if self.moves else None
        begun = [self.take(verb) for verb in uses]
        return next((click for click in begun if click), None) or self.ask(uses[0])

    def pending(self, law: str) -> Click | None:
        """Use the action tile that was just turned up."""
        return self.law(law) if law in USES and self.moves else None

    # --- boards, stacks, buttons --------------------------------------------------------------

    def board(self, colour: str) -> Click | None:
        for verb in ("place_law", "declare_joker"):
            if verb in self.verbs:
                return self.move(verb, colour) or self.ask(verb, colour)
        return None

    def number(self, colour: str, position: int) -> Click | None:
        move = ("place_number", colour, position)
        return self.move(*move) or self.ask(*move) if "place_number" in self.verbs else None

    def repeal(self, law: str) -> Click | None:
        return self.move("repeal_law", law)
