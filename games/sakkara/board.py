"""From what a viewer may know to what is printed: the drawing of a Sakkara table.

Computes places and labels; what a tap does is taps.py's business, how a piece is printed
pieces.py's. It may compute geometry, never rules, so it does not import them.
"""

from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

from django.utils.translation import get_language, npgettext
from django.utils.translation import gettext as _

from games.catalogue import Scene
from games.clicks import Click
from games.engine.contract import Move
from games.pieces import Piece
from games.sakkara.components import FIELDS, HAND_LIMIT, SPELLS, STALL, TIERS, TURNS, WIDTH
from games.sakkara.drawing import PLACES, Area, Buried, Cut, Drawing, Group, Heap
from games.sakkara.pieces import CELL, Field, Man, Slot, Spell, Tile
from games.sakkara.taps import Taps
from games.sakkara.texts import MOVES, NAMES, REFUSALS, RIDES, USES, phrase

ABREAST = 11  # cards of a hand that stand beside each other in full size
WARNING = 20  # turns before the end of a match that nobody finishes


def board(scene: Scene) -> Drawing:
    """Draw the table for one viewer."""
    return Painter(scene).drawing()


@cache
def spoken(language: str) -> dict[str, str]:
    """The names of all components in the active language."""
    return {key: str(name) for key, name in NAMES.items()}


@cache
def counted(language: str, count: int) -> str:
    """So many cards, in the active language."""
    return npgettext("stack", "%(count)s card", "%(count)s cards", count) % {"count": count}


def touched(scene: Scene) -> set[object]:
    """Collect what the lines of the recap speak of: fields, and cards of a seat's display."""
    keys: set[object] = set()
    for key, args, _to in scene.recap:
        keys.update(args[name] for name in ("field", "target") if name in args)
        if key in ("built", "built_with_hands", "laid"):
            keys.add((args["seat"], args["card"]))
    return keys


class Painter:
    """Holds one scene while it is drawn."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.view = scene.view
        self.you: int | None = scene.view["you"]
        self.mine = bool(scene.moves)
        self.taps = Taps(scene)
        self.language = get_language() or ""
        self.words = spoken(self.language)
        self.marks = touched(scene)
        self.workers = {
            spot: (seat, number)
            for seat, spots in enumerate(scene.view["workers"])
            for number, spot in enumerate(spots)
        }
        self.signs = self._signs()
        self.far = self._far()
        self.swept = self.taps.swept()

    def drawing(self) -> Drawing:
        areas = tuple(self._area(seat) for seat in (0, 1))
        return Drawing(
            css=self._css(),
            banner=self._banner(),
            fields=tuple(self._field(spot) for spot in range(len(FIELDS))),
            heap=self._heap(),
            choices=tuple(self._choice(move, click) for move, click in self.taps.choices()),
            ready=self._ready(),
            buried=self._buried(),
            other=None if self.you is None else areas[1 - self.you],
            areas=areas if self.you is None else (),
            me=None if self.you is None else areas[self.you],
        )

    def _css(self) -> str:
        held = 0 if self.you is None else self.view["seats"][self.you]["hand_count"]
        marks = {"holding": self.taps.hold, "mine": self.mine, "crowded": held > ABREAST}
        return " ".join([self.view["phase"], *(mark for mark, is_so in marks.items() if is_so)])

    def _banner(self) -> str:
        if self.view["phase"] == "game_over":
            return ""
        if self.view["stall"] >= STALL - WARNING:
            return _(
                "Nobody has built for %(turns)s turns. After %(most)s the match ends, and the"
                " taller pyramid wins."
            ) % {"turns": self.view["stall"], "most": STALL}
        if self.view["turn_number"] >= TURNS - WARNING:
            return _(
                "%(turns)s turns have been played. After %(most)s the match ends, and the taller"
                " pyramid wins."
            ) % {"turns": self.view["turn_number"], "most": TURNS}
        return ""

    def _marked(self, key: object) -> str:
        return "marked" if key in self.marks else ""

    def _name(self, seat: int) -> str:
        return self.scene.names[seat] if seat < len(self.scene.names) else str(seat + 1)

    def _side(self, seat: int) -> str:
        return "white" if seat == self.view["starter"] else "black"

    def _cards(self, count: int) -> str:
        return counted(self.language, count)

    # --- the board ----------------------------------------------------------------------------

    def _signs(self) -> dict[int, str]:
        """Fields that are barred to whoever is to act, and why, in the words of the rules."""
        if not self.mine:
            return {}
        bars = {FIELDS.index(name): bar for name, bar in self.view["bars"].items()}
        for step in self.view["steps"]:
            if step["bar"] == "too_high":
                bars[step["field"]] = step["bar"]
        return bars

    def _far(self) -> frozenset[int]:
        """Fields to which the worker picked up, or if none is either of them, cannot step."""
        if not self.mine or self.view["ask"] != "ask_move" or self.taps.verb not in ("", "move"):
            return frozenset()
        held = self.taps.held_worker()
        near = {s["field"] for s in self.view["steps"] if held in (None, s["worker"])}
        return frozenset(range(len(FIELDS))) - near - self.workers.keys()

    def _field(self, spot: int) -> Field:
        stack = tuple(card or "" for card in self.view["board"][spot])
        bar = self.signs.get(spot, "")
        sign = {"too_high": "stair", "next_to_own_worker": "shut", "field_used": "shut"}
        row, column = divmod(spot, WIDTH)
        return Field(
            label=self._field_label(spot, stack, bar),
            click=self.taps.field(spot),
            explain=stack[-1] if stack else "field",
            words=self._field_words(spot, stack),
            css=f"{self._marked(FIELDS[spot])}{' aimed' * (FIELDS[spot] in self.taps.hold)}"
            f"{' swept' * (spot in self.swept)}",
            x=CELL * column,
            y=CELL * row,
            stack=stack,
            man=self._man(spot),
            sign=sign.get(bar, ""),
        )

    def _man(self, spot: int) -> Man | None:
        if spot not in self.workers:
            return None
        seat, number = self.workers[spot]
        held = seat == self.you and self.taps.hold[1:2] == (number,)
        return Man(f"worker-{seat}-{number}", self._side(seat), number + 1, held)

    def _field_label(self, spot: int, stack: tuple[str, ...], bar: str) -> str:
        top = self.words[stack[-1] if stack else "empty"]
        parts = [f"{FIELDS[spot]}: {top}"] + [self._cards(len(stack))] * (len(stack) > 1)
        if spot in self.workers:
            seat, number = self.workers[spot]
            parts.append(
                _("worker %(number)s of %(name)s")
                % {"number": number + 1, "name": self._name(seat)}
            )
        reason = REFUSALS[bar] if bar else self._distance(spot)
        return ", ".join(parts) + (f". {reason}" if reason else "")

    def _distance(self, spot: int) -> str:
        return _("Too far for a step.") if spot in self.far else ""

    def _field_words(self, spot: int, stack: tuple[str, ...]) -> str:
        """List a stack from the top down, as far as it is known; say that no step leads there."""
        cards = [self.words[card or "unknown"] for card in stack[::-1]]
        pile = f"{FIELDS[spot]}: {', '.join(cards)}." if len(cards) > 1 else ""
        return " ".join(filter(None, (pile, self._distance(spot))))

    def _buried(self) -> tuple[Buried, ...]:
        """Stacks under whose top card something known lies."""
        return tuple(
            Buried(FIELDS[spot], tuple(self._tile(card) if card else None for card in stack[::-1]))
            for spot, stack in enumerate(self.view["board"])
            if any(stack[:-1])
        )

    # --- cards on their way -------------------------------------------------------------------

    def _heap(self) -> Heap | None:
        turn = self.view["turn"]
        if self.view["returns"]:
            return self._returns()
        if not turn["pile"] and not turn["destroyed"]:
            return None
        cards = turn["pile"] + sorted(turn["destroyed"])
        return Heap(
            title=_("Spent this turn, from the bottom"),
            explain="pile",
            tiles=tuple(self._tile(card) for card in cards),
        )

    def _returns(self) -> Heap:
        size, whole, sizes = self.taps.size, len(self.view["returns"]), self.taps.sizes()
        return Heap(
            title=_("To be put back, from the bottom: how many in one stack?")
            if len(sizes) > 1
            else _("To be put back, from the bottom"),
            explain="returns",
            tiles=tuple(
                self._tile(card, css="cut" if number < size else "")
                for number, card in enumerate(self.view["returns"])
            ),
            cuts=tuple(
                Cut(
                    count=count,
                    label=(_("all %(size)s") if count == whole else _("the lowest %(size)s"))
                    % {"size": count},
                    click=click,
                    css="chip chosen" if count == size else "chip",
                )
                for count, click in sizes
                if len(sizes) > 1
            ),
        )

    def _choice(self, move: Move, click: Click) -> Piece:
        """A step of a move that is no field: worded by its last atom, or as a whole move."""
        atom = move[-1]
        if self.view["phase"] == "horse_step":
            label = self._ride(move)
        elif len(move) == 1:
            label = str(MOVES[phrase(move)[0]])
        elif isinstance(atom, int):
            counts = move[0] == "play_ox"
            label = self._cards(atom) if counts else _("worker %(number)s") % {"number": atom + 1}
        else:
            label = str(RIDES.get(atom, self.words.get(atom, atom)))
        return Piece(label=label, click=click, css="chip")

    def _ride(self, move: Move) -> str:
        """The second step of a horse in few words: the bar above says what it is about."""
        if move == ("horse_stop",):
            return _("stop here")
        return ", ".join(str(RIDES[str(atom)]) for atom in move[1:]) or _("ride on")

    def _tile(self, motif: str, click: Click | None = None, css: str = "") -> Tile:
        return Tile(motif=motif, label=self.words[motif], click=click, explain=motif, css=css)

    # --- a seat -------------------------------------------------------------------------------

    def _area(self, seat: int) -> Area:
        shown = self.view["seats"][seat]
        slots = self._slots(seat, shown)
        built = _("%(built)s of %(all)s built") % {"built": shown["score"], "all": len(PLACES)}
        return Area(
            seat=seat,
            name=self._name(seat),
            css="active" * (seat == self.view["active"]),
            side=self._side(seat),
            note=_("winner") if shown["rank"] == 1 else "",
            built=built,
            dots=tuple(
                (f"t{place[0]}", slot.filled) for place, slot in zip(PLACES, slots, strict=True)
            ),
            slots=slots,
            supplies=self._supplies(seat, shown),
            lack=self._lack(shown),
            hand=self._hand(seat, shown),
            hand_count=shown["hand_count"],
            hand_label=_("Hand: %(count)s of %(limit)s")
            % {"count": shown["hand_count"], "limit": HAND_LIMIT},
            spells=self._spells() if seat == self.you else (),
        )

    def _slots(self, seat: int, shown: dict[str, Any]) -> tuple[Slot, ...]:
        """A built card goes to the first free place of its motif (§2.4)."""
        left = Counter(shown["pyramid"])
        slots = []
        for tier, motif, x, y in PLACES:
            filled = left[motif] > 0
            left[motif] -= 1
            name = self.words[motif]
            label = name if filled else _("still missing: %(card)s") % {"card": name}
            build = self.taps.slot(motif) if seat == self.you and not filled else None
            slots.append(
                Slot(
                    label=label,
                    click=build,
                    explain=motif,
                    css=self._marked((seat, motif)) + " current" * (tier == shown["tier"]),
                    x=x,
                    y=y,
                    motif=motif,
                    filled=filled,
                )
            )
        return tuple(slots)

    def _supplies(self, seat: int, shown: dict[str, Any]) -> tuple[Piece, ...]:
        """The ship and the grain that lie open, and the places for those that do not."""
        most = TIERS[-1].grain
        grain = shown["laid"].count("grain")
        laid = [("ship", "ship" in shown["laid"])]
        laid += [("grain", number < grain) for number in range(most)]
        pieces = []
        for number, (motif, lies) in enumerate(laid):
            asked = not lies and number <= TIERS[min(shown["tier"], len(TIERS)) - 1].grain
            name = self.words[motif]
            label = name if lies else _("not laid: %(card)s") % {"card": name}
            click = self.taps.supply(motif) if seat == self.you and asked else None
            css = self._marked((seat, motif)) if lies else "absent asked" if asked else "absent"
            pieces.append(Tile(label=label, click=click, explain=motif, css=css, motif=motif))
        return tuple(pieces)

    def _lack(self, shown: dict[str, Any]) -> str:
        """Say what keeps a seat from building, if something does."""
        if shown["tier"] > len(TIERS) or self.view["phase"] in ("setup_place", "game_over"):
            return ""
        need = TIERS[shown["tier"] - 1].grain
        missing = [] if "ship" in shown["laid"] else [self.words["ship"]]
        grain = shown["laid"].count("grain")
        if grain < need:
            missing.append(f"{self.words['grain']} {grain}/{need}")
        if not missing:
            return _("tier %(tier)s can be built") % {"tier": shown["tier"]}
        return _("tier %(tier)s waits for: %(cards)s") % {
            "tier": shown["tier"],
            "cards": ", ".join(missing),
        }

    def _hand(self, seat: int, shown: dict[str, Any]) -> tuple[Group, ...]:
        """A hand, sorted by what its cards are good for."""
        if shown["hand"] is None:
            return ()
        tap = self.taps.hand if seat == self.you else self.taps.loot
        groups: dict[str, list[str]] = {use: [] for use in USES}
        for card, use in zip(shown["hand"], shown["uses"], strict=True):
            groups[use].append(card)
        order = list(self.words).index
        return tuple(
            Group(
                self.words[use],
                use,
                tuple(
                    Tile(
                        motif=card,
                        label=self.words[card],
                        caption=self.words[card],
                        click=tap(card),
                        explain=card,
                        css=" ".join(
                            ["twin"] * (card == before) + ["held"] * self._is_held(seat, card)
                        ),
                    )
                    for before, card in pairwise(["", *sorted(cards, key=order)])
                ),
            )
            for use, cards in groups.items()
            if cards
        )

    def _is_held(self, seat: int, card: str) -> bool:
        return seat == self.you and card in (*self.taps.hold, self.taps.verb.removeprefix("play_"))

    def _spells(self) -> tuple[Spell, ...]:
        return () if self.view["phase"] == "game_over" else tuple(map(self._spell, SPELLS))

    def _spell(self, spell: str) -> Spell:
        held = self.view["seats"][self.you]["hand"] if self.you is not None else []
        click = self.taps.spell(spell)
        cards = ", ".join(self.words[motif] for motif in SPELLS[spell])
        words = f"{self.words[spell]}: {cards}"
        if click and click.lit:
            words = _("%(spell)s. Can be cast now.") % {"spell": words}
        return Spell(
            label=words,
            click=click,
            explain=f"spell_{spell}",
            name=self.words[spell],
            motifs=tuple((motif, motif in held) for motif in SPELLS[spell]),
        )

    def _ready(self) -> tuple[Piece, ...]:
        clicks = [(spell, self.taps.spell(spell)) for spell in SPELLS]
        return tuple(
            Piece(label=self.words[spell], click=click, explain=f"spell_{spell}", css="chip")
            for spell, click in clicks
            if click and click.lit
        )
