"""The rules of Cheops: one position, and what moves do to it.

The law is docs/rules/cheops.md; § and A numbers point into it. Fields, colours, kinds and laws
are numbers from components.py; their ids appear only in moves, views and lines. Knows no words,
no site, no clock.
"""

from bisect import insort
from dataclasses import dataclass, field
from typing import Final, Self

from games.cheops import laws, offers, refusals, timeouts, visibility
from games.cheops.components import (
    ABOVE,
    ACTION_LAWS,
    AROUND,
    BOARD_TYPES,
    COLOURS,
    CONTENTS,
    EYES,
    FAMILY,
    FIELD,
    FIELDS,
    FULL,
    HIRE,
    KINDS,
    LAW,
    LAWS,
    MARKET,
    MUST_SELL,
    NEIGHBOUR,
    NEIGHBOURS,
    NONE,
    SUPPORTS,
    TILE,
    TREASURES,
    stack_sizes,
)
from games.cheops.scoring import stock_values, totals
from games.engine.contract import Move, Options, Refused, State, View
from games.engine.table import Table

_KIND: Final = {name: kind for kind, name in enumerate(KINDS)}
_COLOUR: Final = {name: colour for colour, name in enumerate(COLOURS)}


@dataclass(slots=True)
class CheopsState(State):
    # public
    players: int
    pair_rule: str = "majority_low"
    family_draw: str = "front_stack"
    open_money: bool = False
    phase: str = "act"  # act | resolve_treasure | resolve_law | wrap_up | declare_joker | finished
    current: int = 0
    turn_number: int = 1
    hired_this_turn: bool = False
    main_done: bool = False  # the ordinary placement, or the pass, has happened
    drawn_this_turn: int = 0
    laid_this_turn: bool = False
    idle_turns: int = 0  # turns in a row without any tile laid
    pending_treasure: int = NONE
    pending_law: int = NONE
    boards: list[int] = field(default_factory=list)  # by colour
    sold: list[int] = field(default_factory=lambda: [0] * len(COLOURS))
    under: list[int] = field(default_factory=lambda: [NONE] * len(COLOURS))
    number_at: int = NONE  # of new_number: colour * 5 + position from 0
    market_tile: int = NONE
    three_boards: bool = False
    hands: list[list[int]] = field(default_factory=list)  # by seat and kind
    stocks: list[list[int]] = field(default_factory=list)  # by seat and colour
    held: list[list[int]] = field(default_factory=list)  # by seat and action law: turn taken
    joker_owner: int = NONE
    joker_colour: int = NONE
    neighbours_left: int = NEIGHBOURS
    box: list[int] = field(default_factory=list)
    discarded: list[int] = field(default_factory=lambda: [0] * len(COLOURS))
    end_reason: str = ""
    # public, derived from the pyramid by `survey` and kept up to date by `_lay`
    reachable: list[int] = field(default_factory=list)  # free and supported, ascending
    touching: list[int] = field(default_factory=list)  # by field: a bit for each kind beside it
    # owner only
    money: list[int] = field(default_factory=list)
    # nobody: the laws in the pyramid, the stacks below their tops
    pyramid: list[int] = field(default_factory=list)  # by field: see CONTENTS
    stacks: list[list[int]] = field(default_factory=list)  # the last is the top
    out_of_game: list[int] = field(default_factory=list)

    # --- setup (§3) -----------------------------------------------------------------------------

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        state = cls.laid_out(seats)
        state.pair_rule = str(options.get("pair_rule", "majority_low"))
        state.family_draw = str(options.get("family_draw", "front_stack"))
        state.open_money = bool(options.get("open_money", 0))
        for boards in BOARD_TYPES:
            shuffled = list(boards)
            table.shuffle(shuffled)
            state.boards += shuffled[:2]
        table.shuffle(state.boards)
        state._fill_pyramid(table)
        family = [kind for kind in range(len(KINDS)) for _ in range(FAMILY - seats)]
        table.shuffle(family)
        state.stacks = [[family.pop() for _ in range(size)] for size in stack_sizes(seats)]
        if options.get("first_player", "random") == "random":
            state.current = table.below(seats)
        table.tell("began", seat=state.current)
        return state

    @classmethod
    def laid_out(cls, players: int) -> Self:
        """Seat everybody, one family member of each kind in hand (§3.5)."""
        state = cls(players)
        state.hands = [[1] * len(KINDS) for _ in range(players)]
        state.stocks = [[0] * len(COLOURS) for _ in range(players)]
        state.held = [[NONE] * len(ACTION_LAWS) for _ in range(players)]
        state.money = [0] * players
        return state

    def _fill_pyramid(self, table: Table) -> None:
        tiles = list(range(len(LAWS)))
        table.shuffle(tiles)
        self.out_of_game = tiles[len(EYES) :]
        treasures = [colour for colour in range(len(COLOURS)) for _ in range(TREASURES - 1)]
        table.shuffle(treasures)
        self.pyramid = [
            LAW + tiles[EYES.index(spot)] if spot in EYES else treasures.pop()
            for spot in range(len(FIELDS))
        ]
        self.survey()

    def survey(self) -> None:
        """Work out from the pyramid what can be reached and what lies beside what."""
        filled = [content >= TILE for content in self.pyramid]
        self.touching = [0] * len(FIELDS)
        for spot, content in enumerate(self.pyramid):
            if filled[spot]:
                for other in AROUND[spot]:
                    self.touching[other] |= 1 << content - TILE
        self.reachable = [
            spot
            for spot, below in enumerate(SUPPORTS)
            if not filled[spot] and all(filled[support] for support in below)
        ]

    # --- the contract ---------------------------------------------------------------------------

    def to_act(self) -> list[int]:
        return [] if self.phase == "finished" else [self.current]

    def legal(self, seat: int) -> list[Move]:
        return offers.moves(self, seat) if seat == self.current else []

    def why_not(self, seat: int, move: Move) -> Refused:
        return Refused(refusals.refusal(self, seat, move))

    def idle(self, seat: int) -> Move:
        return timeouts.automatic(self, seat)

    def turn(self) -> int:
        return self.turn_number

    def view(self, seat: int | None) -> View:
        return visibility.view(self, seat)

    def determinize(self, seat: int, table: Table) -> Self:
        twin = self.clone()
        visibility.deal_anew(twin, seat, table)
        return twin

    def scores(self) -> list[tuple[int, ...]]:
        """Cash and stocks; equal totals share the rank (A27)."""
        return [(total,) for total in totals(self)]

    def market_price(self) -> int:
        return MARKET[self.market_tile]

    def threshold(self) -> int:
        """Count the full boards that end the match (§4.1)."""
        return 3 if self.three_boards else 2

    # --- what moves do (§5.3) -------------------------------------------------------------------

    def apply(self, seat: int, move: Move, table: Table) -> None:
        match move:
            case ("place_family", str(kind), str(spot)):
                self.main_done = True
                self.hands[seat][_KIND[kind]] -= 1
                self.take("laid", seat, _KIND[kind], spot, table)
            case ("sell_treasure",):
                self._sell(seat, "sold", table)
            case ("keep_treasure",):
                self._keep(seat, "kept", table)
            case ("draw_family", int(stack)):
                self._draw(seat, stack - 1, table)
                return self._go_on(table)
            case ("end_turn",):
                self._next_turn(table)
                return self._go_on(table)
            case ("pass_turn",):
                self._pass("passed", table)
                return self._go_on(table)
            case ("hire_neighbour", str(spot)):
                self._hire(seat, spot, table)
            case ("declare_joker", str(colour)):
                self.joker_colour = _COLOUR[colour]
                table.tell("declared_joker", seat=seat, colour=colour)
                return self._finish(table)
            case _:
                laws.execute(self, seat, move, table)
        return self._advance(table)

    def take(self, how: str, seat: int, kind: int, spot: str, table: Table) -> None:
        """Lay a tile and pick up what lay there (§5.2)."""
        found = self._lay(FIELD[spot], kind)
        shown = CONTENTS[found] if found < LAW else "l"
        table.tell(how, seat=seat, tile=CONTENTS[TILE + kind], field=spot, find=shown)
        if found < LAW:
            self.pending_treasure = found
        else:
            self.pending_law = found - LAW
            table.reveal()
            table.tell("turned_up", seat=seat, law=LAWS[found - LAW])

    def _lay(self, spot: int, kind: int) -> int:
        """Put a tile on a field and return what lay there before."""
        pyramid, touching, bit = self.pyramid, self.touching, 1 << kind
        found, pyramid[spot] = pyramid[spot], TILE + kind
        self.laid_this_turn = True
        if spot in self.reachable:  # a secret passage needs no supports
            self.reachable.remove(spot)
        for other in AROUND[spot]:
            touching[other] |= bit
        for above in ABOVE[spot]:
            left, right = SUPPORTS[above]
            if pyramid[above] < TILE and pyramid[left] >= TILE and pyramid[right] >= TILE:
                insort(self.reachable, above)
        return found

    def _hire(self, seat: int, spot: str, table: Table) -> None:
        self.money[seat] -= HIRE
        self.neighbours_left -= 1
        self.hired_this_turn = True
        self.take("hired", seat, NEIGHBOUR, spot, table)

    def _sell(self, seat: int, how: str, table: Table) -> None:
        colour, self.pending_treasure = self.pending_treasure, NONE
        self.cover(seat, colour)
        table.tell(how, seat=seat, treasure=CONTENTS[colour], price=self.market_price())

    def cover(self, seat: int, colour: int) -> None:
        """Lay a treasure on its price board for the market price."""
        self.sold[colour] += 1
        self.money[seat] += self.market_price()

    def _keep(self, seat: int, how: str, table: Table) -> None:
        colour, self.pending_treasure = self.pending_treasure, NONE
        self.stocks[seat][colour] += 1
        table.tell(how, seat=seat, treasure=CONTENTS[colour])

    def _draw(self, seat: int, stack: int, table: Table) -> None:
        kind = self.stacks[stack].pop()
        self.hands[seat][kind] += 1
        self.drawn_this_turn += 1
        table.reveal()  # the tile below is open now
        table.tell("drew", seat=seat, kind=KINDS[kind])

    def _pass(self, how: str, table: Table) -> None:
        self.main_done = True
        table.reveal()  # a pass is never taken back (§5.3)
        table.tell(how, seat=self.current)

    # --- automatic steps (§5.6) -----------------------------------------------------------------

    def _advance(self, table: Table) -> None:
        """Settle what was taken as far as there is no choice, check for the end, and go on."""
        if self.pending_treasure != NONE and not self._settle(table):
            self.phase = "resolve_treasure"
        elif self.pending_law != NONE and not laws.enact(self, table):
            self.phase = "resolve_law"
        elif self.sold.count(FULL) >= self.threshold():
            self._end("boards_full", table)
        elif min(self.pyramid) >= TILE:
            self._end("pyramid_empty", table)
        else:
            self._go_on(table)

    def _settle(self, table: Table) -> bool:
        """AUTO-1: sell, keep or discard a treasure when there is nothing to choose."""
        seat, colour = self.current, self.pending_treasure
        if self.under[colour] == MUST_SELL:
            if self.sold[colour] < FULL:
                self._sell(seat, "had_to_sell", table)
            else:
                self.pending_treasure = NONE
                self.discarded[colour] += 1
                table.tell("discarded", seat=seat, treasure=CONTENTS[colour])
            return True
        if not offers.may_sell(self, colour):
            self._keep(seat, "had_to_keep", table)
            return True
        return False

    def _go_on(self, table: Table) -> None:
        """Call the current seat, or pass (AUTO-4) and end turns (AUTO-3) that leave no choice."""
        while not self.end_reason:
            seat = self.current
            if not self.main_done:
                self.phase = "act"
                if not offers.is_stuck(self, seat):
                    return
                self._pass("had_to_pass", table)
            self.phase = "wrap_up"
            if offers.can_draw(self, seat):
                return
            if not self.drawn_this_turn and offers.can_play(self, seat):
                return
            self._next_turn(table)

    def _next_turn(self, table: Table) -> None:
        """Cross the turn boundary; a whole idle round with nothing to lay ends the match (A10)."""
        table.reveal()  # a turn that is over is not taken back, even if all others must pass
        self.idle_turns = 0 if self.laid_this_turn else self.idle_turns + 1
        if self.idle_turns >= self.players and not any(
            offers.can_lay(self, seat) for seat in range(self.players)
        ):
            return self._end("blocked", table)
        self.current = (self.current + 1) % self.players
        self.turn_number += 1
        self.hired_this_turn = self.main_done = self.laid_this_turn = False
        self.drawn_this_turn = 0
        return None

    def _end(self, reason: str, table: Table) -> None:
        """End the match at once (A11); the owner of the joker has the last word (A18)."""
        table.reveal()
        self.end_reason = reason
        table.tell(f"ended_{reason}")
        if self.joker_owner != NONE:
            self.phase = "declare_joker"
            self.current = self.joker_owner
        else:
            self._finish(table)

    def _finish(self, table: Table) -> None:
        """Open the purses and count (§6)."""
        self.phase = "finished"
        stocks = stock_values(self)
        for seat, (cash, stock) in enumerate(zip(self.money, stocks, strict=True)):
            table.tell("counted", seat=seat, cash=cash, stock=stock, total=cash + stock)
        points = totals(self)
        best = [seat for seat, total in enumerate(points) if total == max(points)]
        table.tell("won", seat=best, points=max(points))
