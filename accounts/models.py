"""People and the mail kept for them.

A guest is an ordinary user without a password, so that signing up later keeps every match.
Nothing here knows about games.
"""

import zoneinfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST, name_is_readable
from accounts.wishes import MailWishes


def zone_is_known(name: str) -> None:
    """Refuse time zones that this machine cannot compute with."""
    if name not in zoneinfo.available_timezones():
        raise ValidationError(_("Unknown time zone."), code="unknown_zone")


class User(MailWishes, AbstractUser):
    class Language(models.TextChoices):
        BROWSER = "", _("As my browser")
        ENGLISH = "en", _("English")
        DUTCH = "nl", _("Dutch")

    class Theme(models.TextChoices):
        SYSTEM = "", _("As my system")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    class ShownTo(models.TextChoices):
        EVERYBODY = "everybody", _("Everybody")
        MEMBERS = "members", _("Members only")
        NOBODY = "nobody", _("Nobody")

    username = models.CharField(
        _("username"),
        max_length=LONGEST,
        unique=True,
        validators=[name_is_readable],
        error_messages={"unique": _("This name is taken.")},
    )
    is_guest = models.BooleanField(_("guest"), default=False)
    language = models.CharField(
        _("language"), max_length=8, blank=True, default="", choices=Language.choices
    )
    heard = models.CharField(max_length=8, default="", editable=False)  # of the last page read
    time_zone = models.CharField(
        _("time zone"), max_length=64, blank=True, default="", validators=[zone_is_known]
    )
    theme = models.CharField(
        _("colours"), max_length=8, blank=True, default="", choices=Theme.choices
    )
    confirm_turn = models.BooleanField(_("ask before a turn ends"), default=False)
    animation = models.BooleanField(_("show where things went"), default=True)
    shown_to = models.CharField(
        _("profile shown to"), max_length=10, choices=ShownTo.choices, default=ShownTo.EVERYBODY
    )
    lessons = models.JSONField(default=list, editable=False)  # those not to be offered any more
    seen = models.DateTimeField(null=True, editable=False)  # was last here, give or take minutes

    # When the clocks of this player's matches stand still; the hours are of the zone above.
    quiet = models.BooleanField(_("quiet hours"), default=True)
    quiet_from = models.PositiveSmallIntegerField(_("from"), default=23)
    quiet_until = models.PositiveSmallIntegerField(_("until"), default=8)
    weekend = models.PositiveSmallIntegerField(_("weekend"), default=5)  # the first of two days
    vacation_by_itself = models.BooleanField(_("vacation by itself"), default=True)

    @property
    def tongue(self) -> str:
        """The language of what is sent to this person."""
        return self.language or self.heard or settings.LANGUAGE_CODE

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="one_user_per_name_in_any_case"),
        ]


class Tie(models.Model):
    """What one user makes of another: a favourite, or somebody to have nothing to do with."""

    class Kind(models.TextChoices):
        FAVOURITE = "favourite", _("favourite")
        BLOCKED = "blocked", _("blocked")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="ties")
    other = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tied_by")
    kind = models.CharField(max_length=10, choices=Kind)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "other"], name="one_tie_to_each"),
            models.CheckConstraint(
                condition=~models.Q(user=models.F("other")), name="no_tie_to_oneself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} – {self.other}: {self.kind}"


class Mail(models.Model):
    """One mail kept in the database instead of being sent (see accounts/mailbox.py)."""

    to = models.EmailField()
    subject = models.CharField(max_length=998)
    text = models.TextField()
    html = models.TextField(blank=True)
    headers = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-id"]
        indexes = [models.Index(fields=["to", "-created"], name="mail_by_address")]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class ApiKey(models.Model):
    """A key by which a program acts for a user; only its fingerprint is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_keys")
    name = models.CharField(_("name"), max_length=40)
    digest = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    used = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created", "-id"]

    def __str__(self) -> str:
        return self.name


class Delivery(models.Model):
    """One mail to a person on its way, from the hand-over to the mail server to what became of it.

    `handed` is written before the server gets the mail and `sent` after it took it. A row that
    stays handed belongs to a worker that died in between; it is not sent again, for the mail may
    have left.
    """

    class State(models.TextChoices):
        HANDED = "handed", _("on its way")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")
        BOUNCED = "bounced", _("came back")

    user = models.ForeignKey(
        User, null=True, on_delete=models.CASCADE, related_name="deliveries"
    )  # None: an invitation to an address
    to = models.EmailField()
    subject = models.CharField(max_length=200)
    message_id = models.CharField(max_length=200, unique=True)
    is_test = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State, default=State.HANDED)
    error = models.TextField(blank=True)
    created = models.DateTimeField()

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ["-created", "-id"]
        indexes = [
            models.Index(fields=["user", "-created"], name="delivery_by_user"),
            models.Index(fields=["to"], name="delivery_by_address"),
        ]

    def __str__(self) -> str:
        return f"{self.to}: {self.subject}"


class OptOut(models.Model):
    """An address of nobody we know that wants no more invitations."""

    address = models.EmailField(unique=True)

    def __str__(self) -> str:
        return self.address
