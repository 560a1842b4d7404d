"""What is kept of a match: its table, seats, holders, moves, log lines and the notices to be sent.

Rows only; every write goes through services, every read that is more than a get() stands in
queries.py. The seed and the snapshot must never reach a template of a running match.
"""

from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.catalogue import Game, the_game
from games.clock import DAY, HOUR, Pace, Span
from games.standings import Rating, Standing
from games.talk import Message, Notebook, Report

BOT_NAMES = ("Ani", "Hapu", "Merit", "Senmut", "Tiye")


class Match(models.Model):
    """One play of a game, from the open table to the result."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        CANCELLED = "cancelled", _("cancelled")

    class Ending(models.TextChoices):
        """Why a match is over, if it was not simply played to its end."""

        ON_TIME = "on_time", _("lost on time")
        RESIGNED = "resigned", _("resigned")
        BY_DEFAULT = "by_default", _("won by default")
        TOO_SOON = "too_soon", _("time ran out before both had made two turns")
        AGREED = "agreed", _("ended by agreement")
        ABANDONED = "abandoned", _("all players were away for two weeks")
        IDLE = "idle", _("nobody moved for sixty days")
        LEFT = "left", _("the only player left")
        UNFILLED = "unfilled", _("not all seats were taken in time")
        WITHDRAWN = "withdrawn", _("closed by its host")
        VOIDED = "voided", _("called off by those who run the site")

    game_slug = models.CharField(max_length=40, db_column="game")
    version = models.PositiveIntegerField()
    options = models.JSONField(default=dict)
    seats_wanted = models.PositiveSmallIntegerField()
    pace_slug = models.CharField(max_length=20, db_column="pace")
    # The pace itself is kept too: a preset that changes changes no match.
    start = models.DurationField(null=True)  # None: no clock
    increment = models.DurationField(null=True)
    cap = models.DurationField(null=True)
    weekends = models.BooleanField(default=False)  # the clock stands still on free days
    vacations = models.BooleanField(default=True)  # and on vacation
    courtesy = models.BooleanField(default=False)  # of two, the other may grant time
    rated = models.BooleanField(default=False)
    # All who were left agreed that it stays rated, however much a caretaker plays.
    rated_with_caretaker = models.BooleanField(default=False)
    # Who takes an open seat must have made this share of turns in time, in per cent.
    least_in_time = models.PositiveSmallIntegerField(null=True)
    private = models.BooleanField(default=False)  # reached by its players and its link only
    link = models.CharField(max_length=32, unique=True)  # secret part of the invitation address
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted"
    )
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    once = models.CharField(max_length=40, null=True, unique=True)  # noqa: DJ001 - a form posted twice makes one table

    seed = models.CharField(max_length=64)  # secret until the match is finished
    snapshot = models.TextField(blank=True)  # JSON of the state at the last seal
    epoch = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)  # grows with every visible change
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    ending = models.CharField(max_length=12, choices=Ending, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True)  # it closes then, unless something happens
    warned = models.PositiveSmallIntegerField(default=0)  # how often that was announced
    asleep = models.DateTimeField(null=True)  # since when no person plays any more
    look_again = models.DateTimeField(null=True)  # when the sweep has something to do here
    pauses = models.JSONField(default=list)  # [[from, until], ...]
    proposal = models.JSONField(null=True)  # {kind, by, until, agreed: [seat, ...]}
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "matches"
        constraints = [
            models.CheckConstraint(
                condition=Q(status__in=("open", "running", "finished", "cancelled")),
                name="match_status_known",
            )
        ]
        indexes = [
            models.Index(
                fields=["look_again"],
                condition=Q(look_again__isnull=False),
                name="match_look_again",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game.title} #{self.pk}"

    @property
    def game(self) -> Game:
        return the_game(self.game_slug)

    @property
    def pace(self) -> Pace:
        if self.start is None or self.increment is None or self.cap is None:
            return Pace(slug=self.pace_slug, start=None)
        return Pace(slug=self.pace_slug, start=self.start, increment=self.increment, cap=self.cap)

    @property
    def pause_spans(self) -> list[Span]:
        return [
            (datetime.fromisoformat(begin), datetime.fromisoformat(end))
            for begin, end in self.pauses
        ]

    @property
    def commitment(self) -> str:
        """The public promise: SHA-256 of the secret seed, shown from the first moment."""
        return sha256(bytes.fromhex(self.seed)).hexdigest()


class Seat(models.Model):
    """A place at a table: taken by a user or a bot, kept for an invited person, or open.

    A seat with both a user and a bot is the user's; the bot is a caretaker while the user is away.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seats",
    )
    bot = models.CharField(max_length=20, blank=True)  # level
    invitee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="invitations",
    )
    invitee_email = models.EmailField(blank=True)
    muted = models.BooleanField(default=False)  # its player wants no mail about this match
    changed_hands = models.BooleanField(default=False)  # its holders say who sat here when

    to_act = models.BooleanField(default=False)
    called = models.DateTimeField(null=True)  # when the present turn began
    acted = models.DateTimeField(null=True)  # when it was done, though not yet sealed
    reserve = models.DurationField(null=True)  # of thinking time when the turn began
    rest = models.CharField(max_length=80, blank=True)  # a clock.Rest: as it was at that moment
    deadline = models.DateTimeField(null=True)
    asked = models.DateTimeField(null=True)  # when the opponent was asked to grant time
    nudged = models.DateTimeField(null=True)
    caretaker_since = models.DateTimeField(null=True)
    offered = models.DateTimeField(null=True)  # since when a substitute may take it
    thinking_until = models.DateTimeField(null=True)  # a worker thinks for this bot till then

    score = models.JSONField(null=True)  # [points, tie-breaks...] once finished
    rank = models.PositiveSmallIntegerField(null=True)

    # No column: known of seats that were read by queries.seats_at or marked after a change.
    vacation_until: datetime | None = None

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["match", "index"], name="seat_once")]
        indexes = [
            models.Index(fields=["deadline"], condition=Q(to_act=True), name="seat_deadline"),
            models.Index(
                fields=["called"],
                condition=Q(to_act=True) & ~Q(bot=""),
                name="seat_bot_to_act",
            ),
            models.Index(
                fields=["offered"], condition=Q(offered__isnull=False), name="seat_offered"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        if self.user:
            return self.user.username
        if self.bot:
            return self.bot_name
        if self.invitee:
            return self.invitee.username
        return ""

    @property
    def bot_name(self) -> str:
        return BOT_NAMES[self.index % len(BOT_NAMES)]

    @property
    def is_taken(self) -> bool:
        return bool(self.bot or self.user_id)

    @property
    def has_person(self) -> bool:
        """A person plays here: neither a bot nor an owner whom a caretaker stands in for."""
        return bool(self.user_id and not self.bot)

    @property
    def has_caretaker(self) -> bool:
        return bool(self.user_id and self.bot)


class Holder(models.Model):
    """How one person held a seat: kept for ever, so that a substitute re-writes no history.

    Ratings and profiles are computed from these rows alone.
    """

    class Ended(models.TextChoices):
        PLAYED = "played", _("played to the end")
        TIMED_OUT = "timed_out", _("ran out of time")
        RESIGNED = "resigned", _("resigned")
        AWAY = "away", _("on vacation")
        REMOVED = "removed", _("removed by those who run the site")

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="holders")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="held"
    )
    since = models.DateTimeField()
    until = models.DateTimeField(null=True)  # None: holds it now
    # The lines of the log and the moves that fell while they held it, by their numbers: what
    # happens in one instant still has an order.
    first_line = models.PositiveBigIntegerField(default=0)
    last_line = models.PositiveBigIntegerField(null=True)
    first_move = models.PositiveBigIntegerField(default=0)
    last_move = models.PositiveBigIntegerField(null=True)
    # Set while a caretaker plays, and for good with the end; empty if the match was cancelled.
    ended = models.CharField(max_length=10, choices=Ended, blank=True)
    # When that was, and when they had last been on the site: who is away from everything at once
    # is away once. The match's history says so, for `seen` of a user does not stand still.
    left = models.DateTimeField(null=True)
    seen = models.DateTimeField(null=True)
    substituted = models.BooleanField(default=False)  # another holder followed
    turns = models.PositiveIntegerField(default=0)  # made in time
    missed = models.PositiveIntegerField(default=0)  # the clock played them
    missed_in_a_row = models.PositiveIntegerField(default=0)
    caretaker_turns = models.PositiveIntegerField(default=0)
    responses = models.JSONField(default=list)  # seconds from the call to the answer, in order
    # When each turn under a clock ended, in seconds since 1970; negative: time had run out.
    marks = models.JSONField(default=list)
    marked = models.DateTimeField(null=True)  # the last of them

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat"], condition=Q(until__isnull=True), name="one_holder_at_a_time"
            )
        ]
        indexes = [models.Index(fields=["user", "marked"], name="holder_marked")]

    def __str__(self) -> str:
        return f"{self.user} on seat {self.seat_id}"

    @property
    def name(self) -> str:
        return self.user.username if self.user else ""

    def mark(self, now: datetime, *, in_time: bool) -> None:
        """Note whether a turn was made in time: the latest of these tell how reliable one is."""
        seconds = int(now.timestamp())
        self.marks = [*self.marks, seconds if in_time else -seconds]
        self.marked = now


class Vacation(models.Model):
    """Days on which a player's clocks stand still: in all matches, or in the one that is named."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations"
    )
    match = models.ForeignKey(
        Match, null=True, on_delete=models.CASCADE, related_name="single_days"
    )
    begins = models.DateTimeField()
    ends = models.DateTimeField()
    by_itself = models.BooleanField(default=False)  # taken because a deadline had passed

    class Meta:
        ordering = ["begins"]
        indexes = [models.Index(fields=["user", "ends"], name="vacation_of_user")]

    def __str__(self) -> str:
        return f"{self.user}: {self.begins} to {self.ends}"

    @property
    def days(self) -> int:
        """How many days it costs; one in spring may have twenty-three hours."""
        return (self.ends - self.begins + HOUR) // DAY


class Move(models.Model):
    """One decision. It is a draft while its epoch equals the match's: no flag to keep in step."""

    class By(models.TextChoices):
        PLAYER = "player", _("player")
        BOT = "bot", _("bot")
        CLOCK = "clock", _("clock")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="moves")
    seat = models.PositiveSmallIntegerField()
    epoch = models.PositiveIntegerField()
    text = models.CharField(max_length=200)
    by = models.CharField(max_length=10, choices=By, default=By.PLAYER)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["match", "epoch"], name="move_epoch")]

    def __str__(self) -> str:
        return f"{self.seat}: {self.text}"


class Line(models.Model):
    """One sentence of the log without words; it goes with its move when that is taken back."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="lines")
    move = models.ForeignKey(Move, null=True, on_delete=models.CASCADE, related_name="lines")
    key = models.CharField(max_length=60)
    args = models.JSONField(default=dict)
    to = models.PositiveSmallIntegerField(null=True)  # None: everybody
    at = models.DateTimeField(null=True)  # of a line of the site's own; others have their move's

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.key


class Notice(models.Model):
    """A mail that must leave: written in the transaction that caused it, sent by `deliver`."""

    class Kind(models.TextChoices):
        YOUR_TURN = "your_turn", _("your turn")
        REMINDED_HALF = "reminded_half", _("half of your time is gone")
        REMINDED_LATE = "reminded_late", _("a fifth of your time is left")
        LAST_CHANCE = "last_chance", _("last chance to move")
        TIMED_OUT = "timed_out", _("time ran out")
        CARETAKER = "caretaker", _("a bot takes care of a seat")
        SUBSTITUTE_SOUGHT = "substitute_sought", _("a substitute is sought")
        SUBSTITUTED = "substituted", _("somebody took over a seat")
        BACK = "back", _("a player is back")
        LONE = "lone", _("only one is left")
        PLAYS_ON = "plays_on", _("the only one left plays on")
        ASLEEP = "asleep", _("match asleep")
        CANCELLED = "cancelled", _("match cancelled")
        PAUSED = "paused", _("match paused")
        PROPOSED = "proposed", _("a proposal")
        GRANTED = "granted", _("more time was granted")
        STARTED = "started", _("match started")
        FINISHED = "finished", _("match finished")
        INVITED = "invited", _("invitation")
        JOINED = "joined", _("somebody joined your table")
        EXPIRES_SOON = "expires_soon", _("table expires soon")
        EXPIRED = "expired", _("table expired")
        NUDGED = "nudged", _("somebody waits for your move")
        CHAT = "chat", _("new messages")
        VACATION_USED = "vacation_used", _("a day of vacation was used")

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="notices")
    reader = models.ForeignKey(  # whom it was written for, even if another holds the seat by now
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="notices"
    )  # None: an invitation to an address
    kind = models.CharField(max_length=20, choices=Kind)
    epoch = models.PositiveIntegerField()
    about = models.PositiveSmallIntegerField(default=0)  # the seat it happened to or came from
    who = models.ForeignKey(  # and who sat there then
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="noticed"
    )
    created = models.DateTimeField(auto_now_add=True)
    due = models.DateTimeField(null=True)  # None: sent, dropped or given up
    sent = models.DateTimeField(null=True)
    delivery = models.ForeignKey(
        "accounts.Delivery", null=True, on_delete=models.SET_NULL, related_name="notices"
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seat", "kind", "epoch", "about", "reader"], name="notice_once"
            ),
            models.UniqueConstraint(
                fields=["seat", "kind", "epoch", "about"],
                condition=Q(reader__isnull=True),
                name="notice_once_to_address",
            ),
        ]
        indexes = [
            models.Index(fields=["due"], condition=Q(due__isnull=False), name="notice_due"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.seat}"


# Rows that stand in files of their own are found here too.
__all__ = [
    "BOT_NAMES",
    "Holder",
    "Line",
    "Match",
    "Message",
    "Move",
    "Notebook",
    "Notice",
    "Rating",
    "Report",
    "Seat",
    "Standing",
    "Vacation",
]
