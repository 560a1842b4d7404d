"""Rows of what people say around a match: to each other, to themselves, and to moderators."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

LONGEST_MESSAGE = 500
LONGEST_NOTE = 5000
LONGEST_REPORT = 2000


class Message(models.Model):
    """A line of a match's chat, as plain text; empty: its author took it back for good."""

    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, related_name="messages")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="messages"
    )
    text = models.CharField(max_length=LONGEST_MESSAGE, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["author", "at"], name="message_by_author")]

    def __str__(self) -> str:
        return self.text


class Notebook(models.Model):
    """What one player keeps of a match: private notes, and how far the chat was read."""

    match = models.ForeignKey("games.Match", on_delete=models.CASCADE, related_name="notebooks")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notebooks"
    )
    text = models.TextField(max_length=LONGEST_NOTE, blank=True)
    read = models.PositiveBigIntegerField(default=0)  # the last message seen

    class Meta:
        constraints = [models.UniqueConstraint(fields=["match", "user"], name="notebook_once")]

    def __str__(self) -> str:
        return f"{self.user} on {self.match}"


class Report(models.Model):
    """A complaint about somebody, for the moderators."""

    class Reason(models.TextChoices):
        TALK = "talk", _("Offensive words")
        STALLING = "stalling", _("Stalls or leaves on purpose")
        CHEATING = "cheating", _("Cheats or plays under several names")
        NAME = "name", _("An offensive name")
        OTHER = "other", _("Something else")

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="reports_made"
    )
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports"
    )
    match = models.ForeignKey("games.Match", null=True, blank=True, on_delete=models.SET_NULL)
    reason = models.CharField(max_length=10, choices=Reason)
    words = models.TextField(max_length=LONGEST_REPORT, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    is_closed = models.BooleanField(_("closed"), default=False)
    outcome = models.TextField(_("what was done"), blank=True)

    class Meta:
        ordering = ["is_closed", "-created"]

    def __str__(self) -> str:
        return f"{self.about}: {self.get_reason_display()}"
