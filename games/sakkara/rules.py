"""The rules of Sakkara: one position, and what moves do to it.

The law is docs/rules/sakkara.md; § and A numbers point into it. Cards, fields and directions are
numbers from components.py; their ids appear only in moves, views and lines. Knows no words, no
site, no clock.
"""

from dataclasses import dataclass, field
from typing import Any, Self

from games.engine.contract import Move, Options, Refused, State, View
from games.engine.table import Table
from games.sakkara import offers, refusals, timeouts, visibility
from games.sakkara.components import (
    AROUND,
    BIRD,
    DECK,
    FIELD,
    FIELDS,
    GRAIN,
    HAND_LIMIT,
    HANDS,
    HELPING_HAND,
    HORSE,
    LINE,
    NAMES,
    NEXT,
    NUMBER,
    OX,
    SHIP,
    SHIPS_ON_TOP,
    SNAKE,
    STAIR,
    STALL,
    TIER_SIZE,
    TIERS,
    TURNS,
    UNKNOWN,
    WAY,
    WORKERS,
)

NOBODY = -1


@dataclass(slots=True)
class SakkaraState(State):
    # public
    starter: int = 0  # plays white and begins
    open_holders: bool = False
    memory_stacks: bool = False
    phase: str = "setup_place"  # see §5; game_over is the last
    active: int = 0
    workers: list[list[int]] = field(default_factory=lambda: [[], []])  # by seat: fields
    ships: list[int] = field(default_factory=lambda: [0, 0])  # laid, by seat
    grain: list[int] = field(default_factory=lambda: [0, 0])
    pyramids: list[list[int]] = field(  # by seat and card
        default_factory=lambda: [[0] * len(NAMES), [0] * len(NAMES)]
    )
    tier: list[int] = field(default_factory=lambda: [1, 1])  # in building; 4: all complete
    turn_number: int = 0  # completed turns
    stall: int = 0  # completed turns since a building card was placed
    returns: list[int] = field(default_factory=list)  # to be placed, the first is the lowest
    used_fields: list[int] = field(default_factory=list)  # in this placing phase
    end_reason: str = ""  # pyramid, stall, turn_limit, resign, timeout
    loser: int = NOBODY  # who left the match
    # public, of the turn
    moved: list[int] = field(default_factory=list)  # worker and direction of the regular move
    line: list[int] = field(default_factory=list)  # the same, until a bird moves that worker
    tier_done: bool = False
    built_this_turn: bool = False
    pile: list[int] = field(default_factory=list)  # spent, the first is the lowest
    destroyed: list[int] = field(default_factory=list)
    stolen: list[int] = field(default_factory=list)
    # owner only: in order of acquisition
    hands: list[list[int]] = field(default_factory=lambda: [[], []])
    # public but for the cards that are UNKNOWN: those nobody has seen
    board: list[list[int]] = field(default_factory=lambda: [[] for _ in FIELDS])  # bottom to top

    # --- setup (§3) ---------------------------------------------------------------------------

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        state = cls()
        state.open_holders = bool(options.get("open_holders", 0))
        state.memory_stacks = bool(options.get("memory_stacks", 0))
        start = options.get("start_player", "random")
        state.starter = table.below(seats) if start == "random" else int(start == "guest")
        state.active = state.starter
        while sum(stack[-1] == SHIP for stack in state.board if stack) < SHIPS_ON_TOP:
            state._deal(table)
        table.tell("began", seat=state.starter)
        return state

    def _deal(self, table: Table) -> None:
        """A card on every field and the rest on different fields, so that two lie there."""
        cards, spots = list(DECK), list(range(len(FIELDS)))
        table.shuffle(cards)
        table.shuffle(spots)
        self.board = [[cards.pop()] for _ in FIELDS]
        for spot in spots[: len(cards)]:
            stack = self.board[spot]
            stack[0] += UNKNOWN
            stack.append(cards.pop())

    # --- the contract -------------------------------------------------------------------------

    def to_act(self) -> list[int]:
        return [] if self.phase == "game_over" else [self.active]

    def legal(self, seat: int) -> list[Move]:
        return offers.moves(self, seat) if seat == self.active else []

    def why_not(self, seat: int, move: Move) -> Refused:
        return refusals.refusal(self, seat, move)

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
        """§6: building cards, then laid green cards; who left comes last."""
        return [
            (sum(pyramid), ship + grain) if seat != self.loser else (-1, 0)
            for seat, (pyramid, ship, grain) in enumerate(
                zip(self.pyramids, self.ships, self.grain, strict=True)
            )
        ]

    def occupied(self, spot: int) -> bool:
        """Tell whether a worker stands there."""
        mine, others = self.workers
        return spot in mine or spot in others

    # --- what moves do (§5) -------------------------------------------------------------------

    def apply(self, seat: int, move: Move, table: Table) -> None:
        match move:
            case ("move", int(worker), str(way), *stair):
                self._move(seat, worker, WAY[way], bool(stair), table)
            case ("end_turn",):
                table.tell("ended_turn", seat=seat)
            case ("build", str(name)):
                self._build(seat, NUMBER[name], table)
            case ("place_stack", int(size), str(spot)):
                self._place_stack(seat, size, FIELD[spot], table)
            case ("discard", str(name)):
                self._discard(seat, NUMBER[name], table)
            case ("play_horse" | "horse_step" as verb, *how):
                if verb == "play_horse":
                    self._spend(seat, HORSE)
                    table.tell("played_horse", seat=seat)
                self._ride(seat, how, table)
            case ("horse_stop",):
                table.tell("stopped_horse", seat=seat)
            case ("play_bird", int(worker), str(spot)):
                self._play_bird(seat, worker, FIELD[spot], table)
            case ("play_ox", str(origin), str(target), int(count)):
                self._play_ox(seat, FIELD[origin], FIELD[target], count, table)
            case ("play_snake",):
                self._spend(seat, SNAKE)
                table.reveal()
                table.tell("played_snake", seat=seat, other=1 - seat)
            case ("snake_take", str(name)):
                self._steal(seat, NUMBER[name], table)
            case ("lay_ship",) | ("lay_grain",):
                self._lay(seat, SHIP if move[0] == "lay_ship" else GRAIN, table)
            case ("place_worker", str(spot)):
                self.workers[seat].append(FIELD[spot])
                self._enter(seat, FIELD[spot], "placed_worker", table)
            case _:
                self._cast(seat, move, table)
        self._advance(str(move[0]), table)

    def _spend(self, seat: int, card: int) -> None:
        """Put a card from the hand on the pile."""
        self.hands[seat].remove(card)
        self.pile.append(card)

    def _enter(self, seat: int, spot: int, key: str, table: Table) -> None:
        """Take the top card of a field that a worker has come to, if there is one."""
        if self.board[spot]:
            card = self._take(seat, spot)
            table.tell(key, seat=seat, field=FIELDS[spot], card=NAMES[card])
            self._uncover(spot, table)
        else:
            table.tell(f"{key}_bare", seat=seat, field=FIELDS[spot])

    def _take(self, seat: int, spot: int) -> int:
        card = self.board[spot].pop()
        self.hands[seat].append(card)
        return card

    def _uncover(self, spot: int, table: Table) -> None:
        """Show the card on top, if nobody has seen it yet (§4)."""
        stack = self.board[spot]
        if stack and stack[-1] >= UNKNOWN:
            stack[-1] -= UNKNOWN
            table.reveal()
            table.tell("uncovered", field=FIELDS[spot], card=NAMES[stack[-1]])

    def _move(self, seat: int, worker: int, way: int, stair: bool, table: Table) -> None:
        """Make the regular move; the top card must be taken."""
        if stair:
            self._spend(seat, STAIR)
        spot = NEXT[self.workers[seat][worker]][way]
        self.workers[seat][worker] = spot
        self.moved = [worker, way]
        self.line = [worker, way]
        self._enter(seat, spot, "climbed" if stair else "stepped", table)

    def _ride(self, seat: int, how: list[Any], table: Table) -> None:
        """Go one field further on the line; the card there may be left (A9)."""
        stair = how[:1] == ["stair"]
        if stair:
            self._spend(seat, STAIR)
        worker, way = self.line
        spot = NEXT[self.workers[seat][worker]][way]
        self.workers[seat][worker] = spot
        if how[-1:] == ["leave"]:
            key = "rode_high_past" if stair else "rode_past"
            table.tell(key, seat=seat, field=FIELDS[spot], card=NAMES[self.board[spot][-1]])
        else:
            self._enter(seat, spot, "rode_high" if stair else "rode", table)

    def _play_bird(self, seat: int, worker: int, spot: int, table: Table) -> None:
        """Fly anywhere; a horse can no longer go on with this worker (A9, A10)."""
        self._spend(seat, BIRD)
        self.workers[seat][worker] = spot
        if self.line and self.line[0] == worker:
            self.line = []
        self._enter(seat, spot, "flew", table)

    def _play_ox(self, seat: int, origin: int, target: int, count: int, table: Table) -> None:
        """Push the top cards as a block (A11)."""
        self._spend(seat, OX)
        stack = self.board[origin]
        self.board[target] += stack[-count:]
        del stack[-count:]
        table.tell("pushed", seat=seat, cards=count, field=FIELDS[origin], target=FIELDS[target])
        self._uncover(origin, table)

    def _steal(self, seat: int, card: int, table: Table) -> None:
        self.hands[1 - seat].remove(card)
        self.hands[seat].append(card)
        self.stolen.append(card)
        table.tell("stole", seat=seat, other=1 - seat, card=NAMES[card])

    def _cast(self, seat: int, move: Move, table: Table) -> None:
        """Spend three cards in the chosen order, then let the spell work."""
        verb, *atoms = move
        order = [str(name) for name in atoms[-3:]]
        for name in order:
            self._spend(seat, NUMBER[name])
        spell = str(verb).removeprefix("cast_")
        table.tell("cast", seat=seat, spell=spell, cards=order)
        if spell == "drought":
            self._destroy(seat, GRAIN, self.grain, table)
        elif spell == "shipwreck":
            self._destroy(seat, SHIP, self.ships, table)
        else:
            spot = self.workers[seat][int(atoms[0])]
            reach = AROUND[spot] if spell == "whirlwind" else LINE[str(atoms[1])][spot]
            self._storm(seat, reach, table)

    def _storm(self, seat: int, reach: tuple[int, ...], table: Table) -> None:
        """Take all open cards within reach (A13)."""
        spots = offers.harvest(self, reach)
        cards = [NAMES[self._take(seat, spot)] for spot in spots]
        table.tell("gathered", seat=seat, cards=cards)
        for spot in spots:
            self._uncover(spot, table)

    def _destroy(self, seat: int, card: int, laid: list[int], table: Table) -> None:
        laid[1 - seat] -= 1
        self.destroyed.append(card)
        table.tell("destroyed", seat=seat, other=1 - seat, card=NAMES[card])

    def _lay(self, seat: int, card: int, table: Table) -> None:
        self.hands[seat].remove(card)
        (self.ships if card == SHIP else self.grain)[seat] += 1
        table.tell("laid", seat=seat, card=NAMES[card])

    def _build(self, seat: int, card: int, table: Table) -> None:
        """Build a card; a hewn stone and the tip cost helping hands (A23)."""
        for _ in range(HANDS[card]):
            self._spend(seat, HELPING_HAND)
        self.hands[seat].remove(card)
        self.pyramids[seat][card] += 1
        self.built_this_turn = True
        table.tell("built" if not HANDS[card] else "built_with_hands", seat=seat, card=NAMES[card])
        tier = self.tier[seat]
        if sum(self.pyramids[seat]) == sum(TIER_SIZE[: tier + 1]):
            self.tier[seat] = tier + 1
            self.tier_done = True
            table.tell("completed_tier", seat=seat, tier=tier)

    def _place_stack(self, seat: int, size: int, spot: int, table: Table) -> None:
        """Put the lowest returned cards on a field, their order unchanged (§5.2)."""
        cards = self.returns[:size]
        del self.returns[:size]
        self.board[spot] += cards
        self.used_fields.append(spot)
        names = [NAMES[card] for card in cards]
        table.tell("placed_stack", seat=seat, field=FIELDS[spot], cards=names)

    def _discard(self, seat: int, card: int, table: Table) -> None:
        """Spend a card of the excess: of equal ones the newest."""
        hand = self.hands[seat]
        del hand[len(hand) - 1 - hand[::-1].index(card)]
        self.pile.append(card)
        table.tell("discarded", seat=seat, card=NAMES[card])

    # --- phases and turns (§5, §5.5) ----------------------------------------------------------

    def _advance(self, verb: str, table: Table) -> None:
        """Go on to the phase, the turn or the end that follows such a move."""
        seat = self.active
        match verb:
            case "place_worker":
                self._call_next_worker()
            case "play_snake":
                self.phase = "snake_pick"
            case "play_horse":
                self.phase = "horse_step" if offers.can_ride(self, seat) else "main"
            case "place_stack" if not self.returns:
                self.phase = "main"
                self.used_fields = []
            case "horse_step" | "horse_stop" | "snake_take":
                self.phase = "main"
            case "end_turn" if len(self.hands[seat]) > HAND_LIMIT:
                self.phase = "discard"
            case "end_turn":
                self._next_turn(table)
            case "discard" if len(self.hands[seat]) <= HAND_LIMIT:
                self._next_turn(table)
            case "build" if self.tier[seat] > len(TIERS):
                self._end("pyramid", table)

    def _call_next_worker(self) -> None:
        """White, black, white, black; then white begins (§3)."""
        self.active = 1 - self.active
        if len(self.workers[0]) == len(self.workers[1]) == WORKERS:
            self.phase = "main"

    def _next_turn(self, table: Table) -> None:
        """Hand the pile over, destroyed supplies on top (A16), and call the other seat."""
        self.returns = self.pile + sorted(self.destroyed, key=SHIP.__eq__)
        self.pile, self.destroyed, self.stolen, self.moved, self.line = [], [], [], [], []
        self.turn_number += 1
        self.stall = 0 if self.built_this_turn else self.stall + 1
        self.tier_done = self.built_this_turn = False
        if self.stall >= STALL:
            self._end("stall", table)
        elif self.turn_number >= TURNS:
            self._end("turn_limit", table)
        else:
            self.active = 1 - self.active
            self.phase = "place_returns" if self.returns else "main"

    def resign(self, seat: int, table: Table, reason: str = "resign") -> None:
        """Leave the match: the other seat wins (§6). No move: a seat may do so at any time."""
        self.loser = seat
        table.tell("resigned", seat=seat)
        self._end(reason, table)

    def _end(self, reason: str, table: Table) -> None:
        self.phase = "game_over"
        self.end_reason = reason
        if reason in ("stall", "turn_limit"):
            table.tell(f"ended_{reason}")
        winner = self.winner()
        if winner == NOBODY:
            table.tell("drew", seat=[0, 1])
        else:
            table.tell("won", seat=winner, cards=sum(self.pyramids[winner]))

    def winner(self) -> int:
        """Find who is ahead, or nobody (§6)."""
        first, second = self.scores()
        return NOBODY if first == second else int(second > first)
