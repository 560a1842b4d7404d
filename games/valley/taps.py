"""What a tap on each part of the board does, given the legal moves and what is held.

A figure, a tablet or a colour is picked up first and then put somewhere; tapping the destination
first works as well. What cannot be done sends the move that the rules will explain. Knows no
rule: which moves are legal it is told.
"""

from games.catalogue import Scene
from games.clicks import DROP, Click, why
from games.engine.contract import Atom, Move, write
from games.valley.components import AREAS, COLOURS, NODE, PLACE, SPACES, TABLETS

WALKING = {  # by phase; figures can be asked about even when none can move any more
    "overseers_open": "overseer_move",
    "overseers_secret": "overseer_move",
    "workers": "worker_move",
}
DIGGING = ("steal", "build")  # phases


class Taps:
    """One scene, seen by the seat that may move in it."""

    def __init__(self, scene: Scene) -> None:
        self.moves = scene.moves
        self.known = frozenset(scene.moves)
        self.phase = str(scene.view["phase"]) if scene.moves else ""
        self.hold = scene.hold
        self.held = scene.hold[1:]
        self.walking = WALKING.get(self.phase, "")
        self.figure = self._first(range(5)) if self.walking else None
        self.node = self._first((*AREAS, *SPACES)) if self.walking else None
        self.tablet = self._first(TABLETS)
        self.group = self._first(range(1, 6)) if self.phase == "auction" else None
        self.colour = self._first(COLOURS)
        self.cell = self._cell()
        self.holds = {
            part for move in scene.moves for part in (move, move[:-1], (move[0], move[-1]))
        }
        self.doors: dict[tuple[Atom | None, int], Move] = {}  # by figure and site: the first way
        for move in scene.moves if self.walking else ():
            if len(move) == 3 and isinstance(move[2], str):
                site = PLACE[NODE[move[2]]]
                self.doors.setdefault((move[1], site), move)
                self.doors.setdefault((None, site), move)

    def _first(self, known: object) -> Atom | None:
        return next((atom for atom in self.held if atom in known), None)  # type: ignore[operator]

    def _cell(self) -> Move:
        """The site, level and cell that are held, all three or none."""
        numbers = tuple(atom for atom in self.held if isinstance(atom, int))
        return numbers if self.phase in DIGGING and len(numbers) == 3 else ()

    # --- making, holding, asking --------------------------------------------------------------

    def move(self, *move: Atom) -> Click | None:
        """Make a whole move, if it is legal."""
        return Click(write(move), "post") if move in self.known else None

    def take(self, *hold: Atom) -> Click | None:
        """Pick something up that legal moves use; what is held already is put back."""
        if hold == self.hold:
            return DROP
        if hold not in self.holds:
            return None
        return Click(write(hold), "hold" if not self.hold or self.hold[0] == hold[0] else "anew")

    def ask(self, *move: Atom) -> Click | None:
        return why(*move) if self.moves else None

    def do(self, *move: Atom) -> Click | None:
        return self.move(*move) or self.ask(*move)

    # --- the market ---------------------------------------------------------------------------

    def lay(self, tablet: str) -> Click | None:
        if self.phase != "auction":
            return None
        if self.group is not None:
            return self.do("bid_place", tablet, self.group)
        return self.take("bid_place", tablet) or self.ask("bid_place", tablet)

    def bid(self, group: int) -> Click | None:
        if self.phase != "auction":
            return None
        if self.tablet is not None:
            return self.do("bid_place", self.tablet, group)
        return self.take("bid_place", group)

    # --- figures ------------------------------------------------------------------------------

    def pick(self, figure: int) -> Click | None:
        """Pick up one of the own figures that move in this phase."""
        if not self.walking:
            return None
        if self.node is not None and self.figure is None:
            return self.do(self.walking, figure, self.node)
        return self.take(self.walking, figure) or self.ask(self.walking, figure)

    def area(self, area: int) -> Click | None:
        if not self.walking:
            return None
        if self.figure is not None:
            return self.do(self.walking, self.figure, area)
        return self.take(self.walking, area) or self.ask(self.walking, area)

    def space(self, space: str) -> Click | None:
        """A build space in the picture of one site."""
        if not self.walking:
            return None
        if self.figure is not None:
            return self.do(self.walking, self.figure, space)
        return self.take(self.walking, space) or self.ask(self.walking, space)

    # --- sites --------------------------------------------------------------------------------

    def site(self, site: int) -> Click | None:
        """A site on the map: look closer, or do there the one thing that can be done."""
        if self.walking:
            return self._walk_to(site)
        if self.phase == "takeover":
            return self.do("take_over", site)
        return self._dig(f"{self.phase}_block", site) if self.phase in DIGGING else None

    def _walk_to(self, site: int) -> Click | None:
        """Costs do not depend on the space: a worker takes the first that is free."""
        start: Move = (self.walking,) if self.figure is None else (self.walking, self.figure)
        if self.node is not None and str(self.node).startswith(f"{site}-"):
            return Click(write(start), "hold") if self.figure is not None else DROP
        found = self.doors.get((self.figure, site))
        if found is None:
            return self.ask(*start, f"{site}-A")
        if self.walking == "worker_move" and self.figure is not None:
            return self.move(*found)
        return self.take(*start, found[2])

    def _dig(self, verb: str, site: int) -> Click | None:
        found = next((move for move in self.moves if move[:2] == (verb, site)), None)
        if found is None:
            return self.ask(verb, site)
        colour = () if self.colour is None else (self.colour,)
        return self.take(*found[:4], *colour)

    def steal(self, site: int, level: int, cell: int) -> Click | None:
        return self.do("steal_block", site, level, cell) if self.phase == "steal" else None

    def build(self, site: int, level: int, cell: int, colour: str) -> Click | None:
        """Lay a block: of the colour that is held, or the one that is suggested."""
        if self.phase != "build":
            return None
        return self.do("build_block", site, level, cell, self.colour or colour)

    def block(self, colour: str) -> Click | None:
        """Pick up a colour from the own stock."""
        if self.phase != "build":
            return None
        if self.cell and self.colour is None:
            return self.do("build_block", *self.cell, colour)
        return self.take("build_block", colour) or self.ask("build_block", colour)
