"""Rows of ratings: what each match did to each person, and where everybody stands.

The standings are the sum of the ratings, kept so that a leaderboard is one query.
"""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games import ratings
from games.ratings import Strength


class Rating(models.Model):
    """What one rated match did to one person, in its own game.

    In another game it can only give back: when it shows that losses were one long absence.
    """

    class Note(models.TextChoices):
        LEFT = ratings.LEFT, _("left before the end: counts as last")
        TIMED_OUT = "timed_out", _("ran out of time: counts as last")
        SUBSTITUTE = ratings.SUBSTITUTE, _("came in as a substitute: can only gain")
        ABSENT = ratings.ABSENT, _("was away everywhere at once: that counts only once")
        CARETAKER = ratings.CARETAKER, _("a caretaker made most turns of a seat: does not count")

    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ratings"
    )
    game_slug = models.CharField(max_length=40, db_column="game")
    at = models.DateTimeField()  # when the match ended
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    note = models.CharField(max_length=10, choices=Note, blank=True)
    # Of who ran out of time: when, and when they had last been on the site before.
    left = models.DateTimeField(null=True)
    seen = models.DateTimeField(null=True)
    returned = models.JSONField(default=list)  # matches of this game whose loss is given back

    class Meta:
        ordering = ["id"]  # in the order in which they were computed
        constraints = [
            models.UniqueConstraint(fields=["match", "user", "game_slug"], name="rated_once")
        ]
        indexes = [models.Index(fields=["user", "game_slug", "at"], name="rating_by_user")]

    def __str__(self) -> str:
        return f"{self.user}: {self.before.points} → {self.after.points}"

    @property
    def before(self) -> Strength:
        return Strength(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Strength:
        return Strength(self.mu, self.sigma)

    @property
    def gain(self) -> int:
        return self.after.points - self.before.points


class Standing(models.Model):
    """Where one person stands in one game."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="standings"
    )
    game_slug = models.CharField(max_length=40, db_column="game")
    mu = models.FloatField()
    sigma = models.FloatField()
    matches = models.PositiveIntegerField(default=0)  # that counted

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game_slug"], name="stands_once")]
        indexes = [models.Index(fields=["game_slug", "matches"], name="standing_by_game")]

    def __str__(self) -> str:
        return f"{self.user} in {self.game_slug}: {self.strength.points}"

    @property
    def strength(self) -> Strength:
        return Strength(self.mu, self.sigma)
