"""What a tap on each part of a Sakkara table does, given the legal moves and what is held.

A worker is picked up (`move 0`) and put on a field; a field that only one worker can reach is
entered by one tap. Cards are played by tapping them, the places where they go, or a spell. What
cannot be done now sends the move that the rules will explain. Knows no rule itself.
"""

from games.catalogue import Scene
from games.clicks import DROP, Click, Reach, why
from games.engine.contract import Atom, Move, write
from games.sakkara.components import (
    AROUND,
    FIELD,
    FIELDS,
    LINE,
    MOTIFS,
    NEXT,
    NUMBER,
    SPELLS,
    TIER,
    WAY,
    WAYS,
    WIDTH,
)

PLAYED = {"horse": "play_horse", "bird": "play_bird", "ox": "play_ox", "snake": "play_snake"}
LAID = {"ship": "lay_ship", "grain": "lay_grain"}
STORMS = ("cast_fire_storm", "cast_whirlwind")
HEAVY = [motif.name for motif in MOTIFS if motif.hands]  # what helping hands build


class Taps:
    """One scene, seen by the seat that may move in it; nobody else taps anything."""

    def __init__(self, scene: Scene) -> None:
        view = scene.view
        self.moves = scene.moves
        self.known = frozenset(scene.moves)
        self.hold = scene.hold
        self.verb = str(scene.hold[0]) if scene.hold else ""
        self.phase = str(view["phase"])
        self.reach = Reach(scene.moves, scene.hold)
        me = view["you"] if scene.moves else None
        self.workers: list[int] = view["workers"][me] if me is not None else []
        self.tier: int = view["seats"][me]["tier"] if me is not None else 0
        self.line = view["turn"]["line"]
        self.size = self._size()

    # --- fields -------------------------------------------------------------------------------

    def field(self, spot: int) -> Click | None:
        if not self.moves:
            return None
        name = FIELDS[spot]
        match self.phase:
            case "setup_place":
                return self._go("place_worker", name)
            case "place_returns":
                return self._go("place_stack", self.size, name)
            case "horse_step":
                return self._ride("horse_step", spot)
            case "main":
                return self._aim(spot) or self._step(spot)
        return None

    def _go(self, *move: Atom) -> Click:
        """Make a move, or ask why it cannot be made."""
        return self.reach.go(*move) or why(*move)

    def _ride(self, verb: str, spot: int) -> Click | None:
        """Tapping the field the horse comes to next means to ride there and take the card."""
        way = WAY[self.line["way"]]
        if NEXT[self.workers[self.line["worker"]]][way] != spot:
            return None
        rides = (("take",), ("stair", "take"), ())
        known = [(verb, *how) for how in rides if (verb, *how) in self.known]
        return Click(write(known[0]), "post") if known else why(verb)

    def _aim(self, spot: int) -> Click | None:
        """A field as the aim of the card or spell that is held."""
        name, own = FIELDS[spot], self._own(spot)
        if self.verb == "play_horse":
            return self._ride(self.verb, spot)
        if self.verb == "play_bird" and len(self.hold) > 1:
            return self._go("play_bird", self.hold[1], name)
        if self.verb == "play_ox":
            if len(self.hold) == 1:
                return self._go("play_ox", name)
            if name == self.hold[1]:
                return Click("play_ox", "hold")
            return self.reach.go("play_ox", self.hold[1], name) or why(
                "play_ox", self.hold[1], name, 1
            )
        if self.verb in (*STORMS, "play_bird") and own is not None:
            return self._go(self.verb, own)
        if self.verb == "cast_fire_storm" and len(self.hold) == 2:
            return self._storm(int(self.hold[1]), spot)
        return None

    def _storm(self, worker: int, spot: int) -> Click | None:
        """A field in the row or column of the chosen worker chooses between the two."""
        origin = self.workers[worker]
        if spot // WIDTH == origin // WIDTH:
            return self._go("cast_fire_storm", worker, "row")
        if spot % WIDTH == origin % WIDTH:
            return self._go("cast_fire_storm", worker, "column")
        return None

    def _own(self, spot: int) -> int | None:
        return self.workers.index(spot) if spot in self.workers else None

    def _step(self, spot: int) -> Click | None:
        """A field to step to, or a worker to pick up."""
        own = self._own(spot)
        if own is not None:
            return self._pick_up(own)
        beside = [
            (worker, way)
            for worker, origin in enumerate(self.workers)
            for way, target in zip(WAYS, NEXT[origin], strict=True)
            if target == spot and self.held_worker() in (None, worker)
        ]
        steps = [step for step in beside if self.reach.starting("move", *step)]
        if len(steps) > 1:
            return Click("move", "anew" if self.hold else "hold")
        if steps:
            return self.reach.go("move", *steps[0])
        return why("move", *beside[0]) if beside else None

    def held_worker(self) -> Atom | None:
        return self.hold[1] if self.verb == "move" and len(self.hold) > 1 else None

    def _pick_up(self, worker: int) -> Click:
        if self.held_worker() == worker:
            return DROP
        if not self.reach.starting("move", worker):
            return why("move", worker, self._barred_way(worker))
        lit = not self.hold or self.verb == "move"
        return Click(write(("move", worker)), "hold" if lit else "anew")

    def _barred_way(self, worker: int) -> str:
        """A direction that stays on the board, so that the answer says something."""
        return next(
            way for way, spot in zip(WAYS, NEXT[self.workers[worker]], strict=True) if spot >= 0
        )

    # --- cards --------------------------------------------------------------------------------

    def hand(self, motif: str) -> Click | None:
        """A card of the own hand."""
        if not self.moves or self.phase not in ("main", "discard"):
            return None
        if self.phase == "discard":
            return self._go("discard", motif)
        if self.hold and self.reach.starting(*self.hold, motif):
            return self.reach.go(*self.hold, motif)  # the next card of a spell
        if motif in PLAYED:
            return self._play(PLAYED[motif])
        if motif in LAID:
            return self._go(LAID[motif])
        if motif == "helping_hand":
            return self._go("build", self._heavy())
        if motif == "stair" and not self.reach.starting("build", motif):
            return self.reach.pick("stair") or why("build", motif)
        return self._go("build", motif)

    def _heavy(self) -> str:
        """What a helping hand would build: something of the tier in building, if that has any."""
        return next((name for name in HEAVY if TIER[NUMBER[name]] == self.tier), HEAVY[0])

    def _play(self, verb: str) -> Click:
        """A special card is picked up first: a snake, once played, cannot be taken back."""
        if self.hold == (verb,):
            return DROP
        if not self.reach.starting(verb):
            return why(verb)
        return Click(verb, "anew" if self.hold else "hold")

    def slot(self, motif: str) -> Click | None:
        """A free place in the own pyramid."""
        return self._go("build", motif) if self.moves and self.phase == "main" else None

    def supply(self, motif: str) -> Click | None:
        """The place for the own ship or grain."""
        return self._go(LAID[motif]) if self.moves and self.phase == "main" else None

    def loot(self, motif: str) -> Click | None:
        """A card of the other hand, while one may be stolen."""
        if not self.moves or self.phase != "snake_pick":
            return None
        return self._go("snake_take", motif)

    def spell(self, spell: str) -> Click | None:
        if not self.moves or self.phase != "main":
            return None
        verb = f"cast_{spell}"
        if self.verb == verb:
            return DROP
        if not self.reach.starting(verb):
            aim: Move = {"fire_storm": (0, "row"), "whirlwind": (0,)}.get(spell, ())
            return why(verb, *aim, *SPELLS[spell])
        return Click(verb, "anew" if self.hold else "hold")

    # --- what is still to be said -------------------------------------------------------------

    def choices(self) -> list[tuple[Move, Click]]:
        """What can come next but is no field: cards, numbers, directions of a storm."""
        if self.phase == "horse_step":
            return [(move, Click(write(move), "post")) for move in self.moves]
        if not self.hold or self.phase == "place_returns":
            return []
        length = len(self.hold)
        starts = dict.fromkeys(
            move[: length + 1]
            for move in self.reach.starting(*self.hold)
            if len(move) == length or (move[length] not in FIELD and move[length] not in WAY)
        )
        return [(start, click) for start in starts if (click := self.reach.go(*start))]

    def swept(self) -> tuple[int, ...]:
        """The fields that a storm reaches from the worker it was cast at."""
        match self.hold:
            case ("cast_whirlwind", int(worker), *_):
                return AROUND[self.workers[worker]]
            case ("cast_fire_storm", int(worker), "row" | "column" as axis, *_):
                return LINE[str(axis)][self.workers[worker]]
        return ()

    def sizes(self) -> list[tuple[int, Click]]:
        """The cuts of the returned pile; the one that is chosen can be chosen anew."""
        found = dict.fromkeys(int(move[1]) for move in self.moves if move[0] == "place_stack")
        return [(size, Click(write(("place_stack", size)), "hold")) for size in found]

    def _size(self) -> int:
        """How many cards a tap on a field would put there: those chosen, else as many as can be."""
        if self.phase != "place_returns" or not self.moves:
            return 0
        if self.verb == "place_stack" and len(self.hold) > 1 and isinstance(self.hold[1], int):
            return self.hold[1]
        return max(int(move[1]) for move in self.moves)
