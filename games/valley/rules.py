"""The rules of Valley of the Kings: one position, and what moves do to it.

The law is docs/rules/valley.md; § and A numbers point into it. Nodes, colours and tablets are
numbers from components.py; their ids appear only in moves, views and lines. Knows no words, no
site, no clock.
"""

from dataclasses import dataclass, field
from typing import Self

from games.engine.contract import Move, Options, Refused, State, View
from games.engine.table import Table
from games.valley import auction, offers, refusals, timeouts, visibility
from games.valley.components import (
    ADJOINING,
    ATOM,
    BIT,
    COLOURS,
    COPIES,
    FIRST_SPACE,
    GROUP,
    IN_PLAY,
    KINDS,
    MAX_ROUNDS,
    NODE,
    NONE,
    OVERSEERS,
    PHARAOH,
    PLACE,
    POINTS,
    SCARABS,
    SHAPES,
    SITES,
    START,
    TABLETS,
    WORKERS,
    cell_at,
    cost,
)
from games.valley.scoring import BEHIND, is_finished, points, value

BY_SITE = len(SITES) + 1  # lists by site: entry 0 is unused
CLOSING = frozenset(
    ("bid_confirm", "overseers_confirm", "workers_end", "steal_end", "takeover_end", "build_end")
)
# The chronicle of a round, for its summary: what happened, then who, where and what.
SOLD, CLAIMED, BOUNCED, STOLEN, TAKEN_OVER, FINISHED, FED = range(7)


@dataclass(slots=True)
class ValleyState(State):
    # public
    players: int
    unsold_to_pharaoh: bool = False
    chequered: bool = False
    round: int = 1
    start: int = 0  # seat with the pharaoh stone
    phase: str = "auction"
    queue: list[int] = field(default_factory=list)  # seats still to act, in turn order
    market: list[list[int]] = field(default_factory=list)  # groups of colours
    shown: list[list[int]] = field(default_factory=list)  # the bids opened last, as `bids`
    stocks: list[list[int]] = field(default_factory=list)  # by seat and colour
    scarabs: list[int] = field(default_factory=list)  # in supply, by seat
    overseers: list[list[int]] = field(default_factory=list)  # by seat: nodes
    workers: list[list[int]] = field(default_factory=list)  # by seat: nodes
    owner: list[int] = field(default_factory=lambda: [NONE] * BY_SITE)
    blocks: list[list[int]] = field(  # by site: the row of its cells, colours or NONE
        default_factory=lambda: [[], *([NONE] * SHAPES[site].blocks for site in SITES)]
    )
    pharaoh: list[int] = field(default_factory=list)  # colours, in the order they were laid
    discard: list[int] = field(default_factory=list)
    ready: list[bool] = field(default_factory=list)  # has given its secret orders
    left: list[bool] = field(default_factory=list)  # has left the match (§10)
    story: list[list[int]] = field(default_factory=list)  # of this round
    last_story: list[list[int]] = field(default_factory=list)  # of the round before
    fed: list[int] = field(default_factory=lambda: [0])  # blocks for the pharaoh, by round
    end_reason: str = ""
    # public, of the turn in progress
    points_left: int = POINTS  # for workers
    moved: list[int] = field(default_factory=list)  # workers
    used: list[int] = field(default_factory=lambda: [0] * BY_SITE)  # blocks built or stolen
    # public, derived from the figures and blocks by `survey`
    overseer_marks: list[int] = field(default_factory=lambda: [0] * FIRST_SPACE)  # by place
    worker_marks: list[int] = field(default_factory=lambda: [0] * FIRST_SPACE)  # sets of spaces
    built: list[int] = field(default_factory=lambda: [0] * BY_SITE)  # blocks
    # owner only
    bids: list[list[int]] = field(default_factory=list)  # by seat and tablet: group, 0 = in hand
    orders: list[list[int]] = field(default_factory=list)  # by seat and overseer: node or NONE
    # nobody: the order of the bag
    bag: list[int] = field(default_factory=list)  # the last is drawn first

    # --- setup (§3) ---------------------------------------------------------------------------

    @classmethod
    def setup(cls, seats: int, options: Options, table: Table) -> Self:
        state = cls.laid_out(seats)
        state.unsold_to_pharaoh = bool(options.get("advanced_unsold_to_pharaoh", 0))
        state.chequered = bool(options.get("expert_chequered", 0))
        state.bag = [colour for colour in range(len(COLOURS)) for _ in range(COPIES)]
        table.shuffle(state.bag)
        state.start = table.below(seats)
        table.tell("began", seat=state.start)
        state.fill_market(table)
        return state

    @classmethod
    def laid_out(cls, players: int) -> Self:
        """Seat everybody, all figures in the centre (§3.3)."""
        state = cls(players)
        state.stocks = [[0] * len(COLOURS) for _ in range(players)]
        state.scarabs = [SCARABS] * players
        state.overseers = [[START] * OVERSEERS for _ in range(players)]
        state.workers = [[START] * WORKERS for _ in range(players)]
        state.bids = [[0] * len(TABLETS) for _ in range(players)]
        state.shown = [[0] * len(TABLETS) for _ in range(players)]
        state.orders = [[NONE] * OVERSEERS for _ in range(players)]
        state.ready = [False] * players
        state.left = [False] * players
        return state

    def survey(self) -> None:
        """Work out from the figures and blocks what stands where."""
        self.overseer_marks, self.worker_marks = [0] * FIRST_SPACE, [0] * FIRST_SPACE
        for figures, marks in (
            (self.overseers, self.overseer_marks),
            (self.workers, self.worker_marks),
        ):
            for node in (node for own in figures for node in own):
                marks[PLACE[node]] |= BIT[node]
        self.built = [len(row) - row.count(NONE) for row in self.blocks]

    # --- the contract -------------------------------------------------------------------------

    def to_act(self) -> list[int]:
        if self.phase == "overseers_secret":
            return [seat for seat in range(self.players) if not self.has_ordered(seat)]
        return self.queue[:1]

    def legal(self, seat: int) -> list[Move]:
        return offers.moves(self, seat) if seat in self.to_act() else []

    def why_not(self, seat: int, move: Move) -> Refused:
        return refusals.refusal(self, seat, move)

    def idle(self, seat: int) -> Move:
        return timeouts.automatic(self, seat)

    def turn(self) -> str:
        return f"{self.round} {self.phase} {self.queue[:1]}"

    def view(self, seat: int | None) -> View:
        return visibility.view(self, seat)

    def determinize(self, seat: int, table: Table) -> Self:
        twin = self.clone()
        visibility.deal_anew(twin, seat, table)
        return twin

    def scores(self) -> list[tuple[int, ...]]:
        """Points; equal points share the rank (A26), those who left come last (§6)."""
        gone = zip(points(self), self.left, strict=True)
        return [(total - BEHIND * left,) for total, left in gone]

    # --- what positions are asked -------------------------------------------------------------

    def sites(self) -> tuple[int, ...]:
        """List the sites in play."""
        return IN_PLAY[self.players]

    def turn_order(self) -> list[int]:
        return [(self.start + step) % self.players for step in range(self.players)]

    def workers_on(self, seat: int, site: int) -> int:
        return [PLACE[node] for node in self.workers[seat]].count(site)

    def overseers_on(self, seat: int, site: int) -> int:
        one, two = self.overseers[seat]
        return (PLACE[one] == site) + (PLACE[two] == site)

    def order_points(self, seat: int) -> int:
        """Count the points that the drafted orders of a seat leave (§5.4)."""
        pairs = zip(self.overseers[seat], self.orders[seat], strict=True)
        return POINTS - sum(cost(node, order) for node, order in pairs if order != NONE)

    def has_ordered(self, seat: int) -> bool:
        """§10: the secret orders of a seat that has left are confirmed at once."""
        return self.ready[seat] or self.left[seat]

    # --- what moves do (§5) -------------------------------------------------------------------

    def apply(self, seat: int, move: Move, table: Table) -> None:
        self._carry_out(seat, move, table)
        if move[0] in CLOSING:
            self._advance(table)

    def _carry_out(self, seat: int, move: Move, table: Table) -> None:
        match move:
            case ("bid_place", str(tablet), int(group)):
                self.bids[seat][TABLETS.index(tablet)] = group
            case ("overseer_move", int(figure), to):
                self.orders[seat][figure] = NODE[to]
            case ("worker_move", int(figure), to):
                self._walk(seat, figure, NODE[to], table)
            case ("steal_block", int(site), int(level), int(cell)):
                self._steal(seat, site, level, cell, table)
            case ("take_over", int(site)):
                self._take_over(seat, site, table)
            case ("build_block", int(site), int(level), int(cell), str(colour)):
                self._build(seat, site, level, cell, colour, table)
            case _:
                self._close(seat, table)

    def _close(self, seat: int, table: Table) -> None:
        """End the seat's part of the phase; only secret orders can be recalled (§5.1)."""
        match self.phase:
            case "overseers_secret":
                self.ready[seat] = True
                table.tell("ordered", seat=seat)
                return
            case "auction":
                laid = sum(map(bool, self.bids[seat]))
                table.tell("laid" if laid else "laid_nothing", seat=seat, count=laid)
            case "overseers_open":
                self._send(seat, table)
            case "build":
                self._feed_leftovers(seat, table)
        self.queue.pop(0)
        table.reveal()

    def _walk(self, seat: int, figure: int, node: int, table: Table) -> None:
        """§5.5: move a worker and pay for it."""
        price = cost(self.workers[seat][figure], node)
        self._put(self.workers[seat], figure, node, self.worker_marks)
        self.points_left -= price
        self.moved.append(figure)
        key = "walked" if node >= FIRST_SPACE else "walked_area"
        table.tell(key, seat=seat, place=ATOM[node], price=price)

    def _put(self, figures: list[int], figure: int, node: int, marks: list[int]) -> None:
        """Move a figure and keep the marks of taken spaces; areas have no marks (BIT is 0)."""
        old, figures[figure] = figures[figure], node
        marks[PLACE[old]] &= ~BIT[old]
        marks[PLACE[node]] |= BIT[node]

    def _steal(self, seat: int, site: int, level: int, cell: int, table: Table) -> None:
        """§5.6: carry a block away into the own stock."""
        place, other = cell_at(site, level, cell), self.owner[site]
        colour = self.blocks[site][place]
        self.blocks[site][place] = NONE
        self.built[site] -= 1
        self.used[site] += 1
        self.stocks[seat][colour] += 1
        self.story.append([STOLEN, seat, other, site, colour])
        table.tell("stole", seat=seat, other=other, site=site, block=COLOURS[colour])

    def _take_over(self, seat: int, site: int, table: Table) -> None:
        """§5.7: exchange the scarabs; the blocks stay (A20)."""
        other = self.owner[site]
        self.owner[site] = seat
        self.scarabs[seat] -= 1
        self.scarabs[other] += 1
        self.story.append([TAKEN_OVER, seat, other, site])
        table.tell("took_over", seat=seat, other=other, site=site)

    def _build(
        self, seat: int, site: int, level: int, cell: int, colour: str, table: Table
    ) -> None:
        """§5.8: lay a block for good."""
        number = COLOURS.index(colour)
        self.blocks[site][cell_at(site, level, cell)] = number
        self.built[site] += 1
        self.used[site] += 1
        self.stocks[seat][number] -= 1
        table.tell("built", seat=seat, site=site, level=level, block=colour)
        if is_finished(self, site):
            kind, worth = value(self, site)
            self.story.append([FINISHED, seat, site, kind])
            table.tell("finished", seat=seat, site=site, kind=KINDS[kind], points=worth)

    def feed(self, seat: int, blocks: list[int], table: Table) -> None:
        """Give blocks to the pharaoh pyramid; what exceeds it is out of the game (A23)."""
        room = PHARAOH - len(self.pharaoh)
        self.pharaoh += blocks[:room]
        self.discard += blocks[room:]
        self.fed[-1] += len(blocks[:room])
        self.story.append([FED, seat, len(blocks)])
        key = "fed" if seat == NONE else "left_over"
        who = {} if seat == NONE else {"seat": seat}
        table.tell(key, count=len(blocks), total=len(self.pharaoh), **who)

    def _feed_leftovers(self, seat: int, table: Table) -> None:
        stock = self.stocks[seat]
        if any(stock):
            leftovers = [colour for colour, count in enumerate(stock) for _ in range(count)]
            self.stocks[seat] = [0] * len(COLOURS)
            self.feed(seat, leftovers, table)

    # --- overseers (§5.4) ---------------------------------------------------------------------

    def _send(self, seat: int, table: Table) -> None:
        """Lift both overseers of a seat, put them where ordered, and claim."""
        figures, orders = self.overseers[seat], self.orders[seat]
        here = figures[:]
        for figure in range(OVERSEERS):
            self._put(figures, figure, START, self.overseer_marks)
        for figure, (stands, order) in enumerate(zip(here, orders, strict=True)):
            node = stands if order == NONE else order
            site = PLACE[node]
            if BIT[node] & (self.overseer_marks[site] | self.worker_marks[site]):
                self.story.append([BOUNCED, seat, node])
                table.tell("bounced", seat=seat, place=ATOM[node], area=ADJOINING[node])
                node = ADJOINING[node]
            elif order != NONE:
                key = "sent" if node >= FIRST_SPACE else "sent_area"
                table.tell(key, seat=seat, place=ATOM[node])
            self._put(figures, figure, node, self.overseer_marks)
        self.orders[seat] = [NONE] * OVERSEERS
        self._claim(seat, table)

    def _claim(self, seat: int, table: Table) -> None:
        for node in self.overseers[seat]:
            site = PLACE[node]
            if node >= FIRST_SPACE and self.owner[site] == NONE and self.scarabs[seat]:
                self.owner[site] = seat
                self.scarabs[seat] -= 1
                self.story.append([CLAIMED, seat, site])
                table.tell("claimed", seat=seat, site=site)

    # --- the course of a round (§5.1) ---------------------------------------------------------

    def _advance(self, table: Table) -> None:
        """Go on to the next seat that is asked, through as many phases as that takes."""
        while not self.end_reason:
            if self.phase == "overseers_secret":
                if self.to_act():
                    return
                table.reveal()
                for seat in self.turn_order():
                    self._send(seat, table)
                self._begin("workers")
            elif not self.queue:
                self._next_phase(table)
            elif self._asks(self.queue[0], table):
                return

    def _asks(self, seat: int, table: Table) -> bool:
        """Give the seat its turn if there is something to decide; else settle it."""
        self.points_left = POINTS
        self.moved = []
        self.used = [0] * BY_SITE
        if self.left[seat]:
            self._play_defaults(seat, table)
            return False
        if offers.is_asked(self, seat):
            return True
        self.queue.pop(0)
        if self.phase == "build":
            self._feed_leftovers(seat, table)
        return False

    def _play_defaults(self, seat: int, table: Table) -> None:
        """§10: a seat that has left is never waited for."""
        move: Move = ("",)
        while move[0] not in CLOSING:
            move = self.idle(seat)
            self._carry_out(seat, move, table)

    def _begin(self, phase: str) -> None:
        self.phase = phase
        self.queue = [] if phase == "overseers_secret" else self.turn_order()
        self.ready = [False] * self.players

    def _next_phase(self, table: Table) -> None:
        match self.phase:
            case "auction":
                table.reveal()
                auction.award(self, table)
                self._begin("overseers_open" if self.round == 1 else "overseers_secret")
            case "overseers_open":
                self._begin("workers")
            case "workers":
                self._begin("build" if self.round == 1 else "steal")
            case "steal":
                self._begin("takeover")
            case "takeover":
                self._begin("build")
            case _:
                self._end_round(table)

    def _end_round(self, table: Table) -> None:
        """§5.9: pass the pharaoh stone, then see whether that was the last round."""
        self.start = (self.start + 1) % self.players
        if len(self.pharaoh) == PHARAOH:
            self._finish("pharaoh_complete", table)
        elif all(is_finished(self, site) for site in self.sites()):
            self._finish("all_sites_complete", table)
        elif self.round >= MAX_ROUNDS:
            self._finish("round_limit", table)
        else:
            self.round += 1
            self._bring_home()
            self.fill_market(table)

    def _bring_home(self) -> None:
        """§10: figures of those who left go back to the centre, so that no site stays locked."""
        if any(self.left):
            for seat, gone in enumerate(self.left):
                if gone:
                    self.overseers[seat] = [START] * OVERSEERS
                    self.workers[seat] = [START] * WORKERS
            self.survey()

    def fill_market(self, table: Table) -> None:
        """§5.2: draw as many groups of five as the bag gives, the last may be smaller (A24)."""
        table.reveal()
        for _ in range(min(self.players + 1, -(-len(self.bag) // GROUP))):
            self.market.append(sorted(self.bag[-GROUP:]))
            del self.bag[-GROUP:]
        self.last_story, self.story = self.story, []
        if self.round > 1:
            self.fed.append(0)
        self._begin("auction")
        table.tell("opened", round=self.round, seat=self.start, total=len(self.pharaoh))

    # --- the end (§6) -------------------------------------------------------------------------

    def leave(self, seat: int, table: Table) -> None:
        """§10: play the defaults for a seat from now on; the last one to stay has won."""
        self.left[seat] = True
        table.tell("left", seat=seat)
        if self.left.count(False) == 1:
            self._finish("abandoned", table)
        elif self.phase == "overseers_secret" or self.queue[:1] == [seat]:
            if self.queue:
                self._play_defaults(seat, table)
            self._advance(table)

    def _finish(self, reason: str, table: Table) -> None:
        self.phase, self.end_reason, self.queue = "finished", reason, []
        table.tell(f"ended_{reason}")
        for seat, total in enumerate(points(self)):
            table.tell("scored", seat=seat, points=total)
        scores = self.scores()
        best = [seat for seat, score in enumerate(scores) if score == max(scores)]
        table.tell("won" if len(best) == 1 else "shared", seat=best, points=max(scores)[0])
