"""The rules of Obelisk: one position, what may be done in it and what that does.

The law is docs/rules/obelisk.md; § and A numbers point into it. Cards are numbers from
components.py, obelisks the flat lists of scoring.py; names of cards appear only in moves, views
and lines. Knows no words, no site, no clock.
"""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Self

from games.engine.contract import Move, Options, Refused, State, View
from games.engine.session import ranks
from games.engine.table import Table
from games.obelisk import layout, moves, timeouts, visibility
from games.obelisk.components import (
    BUILDING,
    COLOR,
    KIND,
    MARKET_SIZE,
    NAMES,
    NO_CARD,
    NUMBER,
    ROUND,
    SPOTS,
    VALUE,
    camels_each,
    dealt,
    takes_each,
)
from games.obelisk.layout import CHANCE
from games.obelisk.refusals import refusal
from games.obelisk.scoring import CARDS, HUE, TOP, Obelisk, bare, points


@dataclass(slots=True)
class ObeliskState(State):
    # public
    players: int
    expert: bool = False
    first_seat: int = CHANCE
    phase: str = "setup_market"  # setup_market | turn | over
    active: int = 0
    last_round: str = "none"  # none | trigger | limited | full
    final_turns_left: int = 0  # last-round turns that have not started yet
    overseer: int = 0
    pile_camels: list[int] = field(default_factory=lambda: [0] * SPOTS)  # 2 players only
    display: list[int] = field(default_factory=list)  # three slots, NO_CARD where empty
    discard: list[int] = field(default_factory=list)
    markets: list[list[int]] = field(default_factory=list)  # by seat; both kinds of cards
    actions: list[list[int]] = field(default_factory=list)  # by seat, open on the table
    camels: list[int] = field(default_factory=list)
    obelisks: list[list[Obelisk]] = field(default_factory=list)  # with 3+ the card below is secret
    # public, of the turn
    takes_left: int = 0
    built: int = 0
    marketed: int = 0
    market_waived: bool = False
    bought: int = 0
    must_buy: bool = False
    free_move: int = 0
    double_ended: int = 0
    off_color: int = 0
    off_used: list[int] = field(default_factory=list)  # an obelisk's number per odd card it got
    direction: str = ""  # "", cw or ccw
    pending_action: bool = False
    filling: bool = False  # the automatic last turn gives each bare foundation a card (§10)
    # owner only (2 players: the open depots)
    hands: list[list[int]] = field(default_factory=list)  # oldest card first
    choices: list[list[int]] = field(default_factory=list)  # opening markets; empty: not chosen
    # nobody
    piles: list[list[int]] = field(default_factory=lambda: [[] for _ in range(SPOTS)])
    draw: list[int] = field(default_factory=list)  # the last is next
    # what everybody could have remembered: cards seen going into a hand and not seen leaving, and
    # NO_CARD for each card that was laid face down in between
    seen: list[list[int]] = field(default_factory=list)

    # --- setup (§3) ---------------------------------------------------------------------------

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        first = options.get("first_player", "random")
        state = cls.laid_out(seats)
        state.expert = bool(options.get("expert", 0))
        state.first_seat = first if isinstance(first, int) else CHANCE
        cards = list(range(BUILDING))
        table.shuffle(cards)
        size = dealt(seats)
        state.hands = [cards[size * seat : size * (seat + 1)] for seat in range(seats)]
        state._advance(table)
        return state

    @classmethod
    def laid_out(cls, players: int) -> Self:
        """Seat everybody at an empty table, camels in hand."""
        state = cls(players)
        state.camels = [camels_each(players)] * players
        for zone in ("hands", "markets", "actions", "obelisks", "choices", "seen"):
            setattr(state, zone, [[] for _ in range(players)])
        return state

    # --- who may do what ----------------------------------------------------------------------

    def to_act(self) -> list[int]:
        if self.phase == "turn":
            return [self.active]
        if self.phase == "setup_market":
            return [seat for seat in range(self.players) if not self.choices[seat]]
        return []

    def turn(self) -> str:
        return self.phase  # the last to choose a market may be the first to play

    def legal(self, seat: int) -> list[Move]:
        if self.phase == "turn":
            if seat != self.active:
                return []
            if self.pending_action:
                return moves.earnings(self, seat)
            return moves.turn(self, seat)
        if self.phase == "over" or self.choices[seat]:
            return []
        return [
            ("choose_market", NAMES[one], NAMES[other])
            for one, other in combinations(self.hands[seat], MARKET_SIZE)
        ]

    def why_not(self, seat: int, move: Move) -> Refused:
        return Refused(refusal(self, seat, move))

    def idle(self, seat: int) -> Move:
        return timeouts.automatic(self, seat)

    # --- what moves do (§5.3) -----------------------------------------------------------------

    def apply(self, seat: int, move: Move, table: Table) -> None:
        match move:
            case ("take", int(pile), *way):
                self._take(seat, pile, way, table)
            case ("build", str(card), int(number), str(end), *declared):
                self._build(seat, NUMBER[card], number, end, declared, table)
            case ("lay_foundation", str(card)):
                self._lay_foundation(seat, NUMBER[card], table)
            case ("place_market", str(card)):
                self._place_market(seat, NUMBER[card], table)
            case ("end_turn",):
                table.tell("ended_turn", seat=seat)
                self._advance(table)
            case ("play_action", str(card), *named):
                self._play_action(seat, NUMBER[card], named, table)
            case ("buy_market", int(other)):
                self._buy_market(seat, other, table)
            case ("trade", str(give), str(get)):
                self._trade(seat, give, get, table)
            case ("pick_action", int(slot)):
                self._pick_action(seat, slot, table)
            case ("decline_action",):
                self.pending_action = False
                table.tell("declined_action", seat=seat)
            case _:
                self._choose_market(seat, move[1:], table)
        if NO_CARD in self.display:
            self._refill(table)

    def _choose_market(self, seat: int, names: Move, table: Table) -> None:
        self.choices[seat] = [NUMBER[str(name)] for name in names]
        table.tell("chose_market", seat=seat)
        self._advance(table)

    def _walk(self, seat: int, pile: int, way: str, table: Table) -> None:
        """2 players: a camel on every pile the overseer passes; empty spots are free (A32)."""
        self.direction = way
        passed = self.passed(pile, way)
        if passed:
            self.camels[seat] -= len(passed)
            for spot in passed:
                self.pile_camels[spot] += 1
            spots = [spot + 1 for spot in passed]
            table.tell("paid_camels", seat=seat, camels=len(passed), piles=passed, spots=spots)

    def _take(self, seat: int, pile: int, way: list[Any], table: Table) -> None:
        if way:
            self._walk(seat, pile, way[0], table)
        cards = self.piles[pile]
        card = cards.pop()
        self.hands[seat].append(card)
        if self.players > 2:
            self.seen[seat].append(card)
        self.overseer = pile
        self.takes_left -= 1
        table.tell("took", seat=seat, card=NAMES[card], pile=pile, spot=pile + 1)
        camels = self.pile_camels[pile]
        if camels:
            self.pile_camels[pile] = 0
            self.camels[seat] += camels
            table.tell("collected_camels", seat=seat, camels=camels, pile=pile, spot=pile + 1)
        if cards:
            table.reveal()
        if self.last_round == "none" and self.piles.count([]) >= self.players:
            self.last_round = "trigger"
            self.final_turns_left = self.players - 1
            table.tell("triggered_last_round", seat=seat)

    def _lay_foundation(self, seat: int, card: int, table: Table) -> None:
        """With 3-5 players the card stays among those the seat may hold: nobody saw which."""
        self.hands[seat].remove(card)
        place = self._found(seat, card)
        if self.players == 2:  # A30
            table.tell("laid_open_foundation", seat=seat, card=NAMES[card], **place)
        else:
            self.seen[seat].append(NO_CARD)
            table.tell("laid_foundation", seat=seat, **place)

    def _found(self, seat: int, card: int) -> dict[str, int]:
        """Begin an obelisk; return how to speak of it."""
        self.obelisks[seat].append(bare(card))
        self.built += 1
        self.filling = False
        return {"obelisk": len(self.obelisks[seat]) - 1, "number": len(self.obelisks[seat])}

    def _build(
        self, seat: int, card: int, number: int, end: str, declared: list[Any], table: Table
    ) -> None:
        value = declared[0] if declared else VALUE[card]
        obelisk = self.obelisks[seat][number]
        below = end == "bottom"
        self.filling = not obelisk[TOP] and (
            self.filling or timeouts.begins_to_fill(self, seat, card, number)
        )
        self._show(seat, card)
        self.built += 1
        if not obelisk[TOP]:
            obelisk[HUE] = COLOR[card]
        elif COLOR[card] != obelisk[HUE]:
            self.off_used.append(number)
        if below:
            obelisk.insert(CARDS, card)
        else:
            obelisk.append(card)
            obelisk[TOP] = value
        key = ("built" if VALUE[card] else "built_joker") + ("_below" if below else "")
        place = {"obelisk": number, "number": number + 1}
        table.tell(key, seat=seat, card=NAMES[card], value=value, **place)
        if value == 1:
            table.tell("finished_obelisk", seat=seat, **place)
            self.pending_action = self.earns()

    def _pick_action(self, seat: int, slot: int, table: Table) -> None:
        card = self.display[slot]
        self.display[slot] = NO_CARD
        self.actions[seat].append(card)
        self.pending_action = False
        table.tell("picked_action", seat=seat, card=NAMES[card])

    def _place_market(self, seat: int, card: int, table: Table) -> None:
        if card < BUILDING:
            self._show(seat, card)
        else:
            self.actions[seat].remove(card)
        self.markets[seat].append(card)
        self.marketed += 1
        table.tell("placed_market", seat=seat, card=NAMES[card])

    def _buy_market(self, seat: int, other: int, table: Table) -> None:
        cards = self.markets[other]
        self.markets[other] = []
        self.camels[seat] -= 1
        self.camels[other] += 1
        self.bought += 1
        self._receive(seat, cards)
        table.tell("bought_market", seat=seat, other=other, cards=[NAMES[card] for card in cards])

    def _trade(self, seat: int, give: str, get: str, table: Table) -> None:
        self.camels[seat] -= 1
        self.camels[1 - seat] += 1
        self._swap_depots(seat, [give], [get])
        table.tell("traded", seat=seat, other=1 - seat, give=give, get=get)

    def _play_action(self, seat: int, card: int, named: list[Any], table: Table) -> None:
        self.actions[seat].remove(card)
        table.tell("played_action", seat=seat, card=NAMES[card])
        kind = KIND[card]
        if kind == "foundation":  # stays in play, under the obelisk
            place = self._found(seat, card)
            table.tell("placed_foundation", seat=seat, card=NAMES[card], **place)
            return
        self.discard.append(card)
        match kind:
            case "extra_move":
                self.takes_left += 1
            case "free_move":
                self.free_move += 1
            case "double_ended":
                self.double_ended += 1
            case "off_color":
                self.off_color += 1
            case "market_pick":
                self._pick_from_markets(seat, named, table)
            case "market_recall":
                self._recall_market(seat, table)
            case "market_swap":
                self._swap_between_markets(seat, named, table)
            case _:  # free_trade
                give, get = named[::2], named[1::2]
                self._swap_depots(seat, give, get)
                table.tell("freely_traded", seat=seat, other=1 - seat, give=give, get=get)

    def _pick_from_markets(self, seat: int, named: list[Any], table: Table) -> None:
        for other, name in zip(named[::2], named[1::2], strict=True):
            self.markets[other].remove(NUMBER[name])
            self._receive(seat, [NUMBER[name]])
            table.tell("picked_market", seat=seat, other=other, card=name)

    def _recall_market(self, seat: int, table: Table) -> None:
        """The whole market back, and no market duty even if it was empty (A22)."""
        cards = self.markets[seat]
        self.markets[seat] = []
        self.market_waived = True
        if cards:
            self._receive(seat, cards)
            table.tell("recalled_market", seat=seat, cards=[NAMES[card] for card in cards])

    def _swap_between_markets(self, seat: int, named: list[Any], table: Table) -> None:
        one, first, other, second = named
        self.markets[one].remove(NUMBER[first])
        self.markets[other].remove(NUMBER[second])
        self.markets[one].append(NUMBER[second])
        self.markets[other].append(NUMBER[first])
        table.tell("swapped_markets", seat=seat, other=[one, other], cards=[first, second])

    def _swap_depots(self, seat: int, give: list[str], get: list[str]) -> None:
        own, others = self.hands[seat], self.hands[1 - seat]
        for name in give:
            own.remove(NUMBER[name])
        for name in get:
            others.remove(NUMBER[name])
        own += [NUMBER[name] for name in get]
        others += [NUMBER[name] for name in give]

    def _receive(self, seat: int, cards: list[int]) -> None:
        """Take open cards: building cards to the hand, action cards to the table."""
        for card in cards:
            if card < BUILDING:
                self.hands[seat].append(card)
                self.seen[seat].append(card)
            else:
                self.actions[seat].append(card)

    def _show(self, seat: int, card: int) -> None:
        """Take a card out of a hand before everybody's eyes."""
        self.hands[seat].remove(card)
        if card in self.seen[seat]:
            self.seen[seat].remove(card)

    def _refill(self, table: Table) -> None:
        """§5.5: turn cards up in the gaps; reshuffle the discard only when needed (A13)."""
        for slot, card in enumerate(self.display):
            if card != NO_CARD:
                continue
            if not self.draw and self.discard:
                self.draw, self.discard = self.discard, []
                table.shuffle(self.draw)
                table.tell("reshuffled_actions")
            if self.draw:
                self.display[slot] = self.draw.pop()
                table.reveal()
                table.tell("turned_up", card=NAMES[self.display[slot]], slot=slot)

    # --- whose move it is ---------------------------------------------------------------------

    def _advance(self, table: Table) -> None:
        """Go on to the next turn, to the last round (§5.6) or to the end of the match."""
        if self.phase == "setup_market":
            if self.players == 2 or all(self.choices):
                layout.open_markets(self, table)
                layout.open_quarry(self, table)
            return
        if self.last_round == "none":
            self.begin_turn((self.active + 1) % self.players)
            return
        self.last_round = "full" if self.players == 2 else "limited"
        while self.final_turns_left:
            self.final_turns_left -= 1
            self.begin_turn((self.active + 1) % self.players)
            if self.hands[self.active] or self.players == 2:
                return
            table.tell("skipped_turn", seat=self.active)  # A14
        self.phase = "over"
        places = ranks(self.scores())
        winners = [seat for seat, place in enumerate(places) if place == 1]
        table.tell("won", seat=winners, points=self.scores()[winners[0]][0])

    def begin_turn(self, seat: int) -> None:
        """Reset everything that lasts one turn only (§4.1)."""
        limited = self.last_round == "limited"
        self.active = seat
        self.takes_left = 0 if limited else takes_each(self.players)
        self.built = self.marketed = self.bought = 0
        self.free_move = self.double_ended = self.off_color = 0
        self.market_waived = self.pending_action = self.filling = False
        self.off_used = []
        self.direction = ""
        self.must_buy = (
            self.players > 2
            and not limited
            and 0 < self.camels[seat] == sum(self.camels)
            and any(self.markets[:seat] + self.markets[seat + 1 :])
        )

    # --- what the table shows -----------------------------------------------------------------

    def earns(self) -> bool:
        """A finished obelisk earns a card only while the display has one (A13)."""
        return max(self.display) != NO_CARD

    def neighbour(self, way: str) -> int | None:
        """Find the next pile in a direction; the last pile is its own neighbour (A7)."""
        for spot in ROUND[way][self.overseer]:
            if self.piles[spot]:
                return spot
        return None

    def neighbours(self) -> list[int]:
        """List the piles next to the overseer, ascending."""
        return sorted({spot for way in ROUND if (spot := self.neighbour(way)) is not None})

    def passed(self, pile: int, way: str) -> list[int]:
        """List the piles the overseer passes on his way to another (A31, A32)."""
        walk = ROUND[way][self.overseer]
        return [spot for spot in walk[: walk.index(pile)] if self.piles[spot]]

    def scores(self) -> list[tuple[int, ...]]:
        """§6: points, then camels."""
        earned = self.breakdown()
        return [(sum(own), camels) for own, camels in zip(earned, self.camels, strict=True)]

    def breakdown(self) -> list[list[int]]:
        """Give the points of every obelisk, by seat."""
        return [[points(one, expert=self.expert) for one in own] for own in self.obelisks]

    def view(self, seat: int | None) -> View:
        return visibility.view(self, seat)

    def determinize(self, seat: int, table: Table) -> Self:
        twin = self.clone()
        visibility.deal_anew(twin, seat, table)
        return twin
