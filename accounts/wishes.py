"""How a person wants to hear from the site: how often, about what, at which hour, and whether.

Columns of the user, kept apart because they are one subject. Nothing here knows about games.
"""

import zoneinfo
from datetime import date, datetime, time, timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Topic(models.TextChoices):
    """What a mail can be about; each can be declined by itself."""

    REMINDERS = "reminders", _("Reminders while my time runs out")
    COURSE = "course", _("Start, end and unusual events of my matches")
    TABLES = "tables", _("My open tables: who joined, what expires")
    INVITATIONS = "invitations", _("Invitations")
    NUDGES = "nudges", _("Nudges from those who wait for me")
    CHAT = "chat", _("Messages written while I was away")
    VACATION = "vacation", _("Vacation days used for me")


class MailWishes(models.Model):
    class Notify(models.TextChoices):
        EVERY_TURN = "every_turn", _("Every time it is my turn")
        LIMITED = "limited", _("At most one mail in some hours")
        DIGEST = "digest", _("One mail a day, at my hour")
        NONE = "none", _("Never, but for the last chance before my time is up")

    notify = models.CharField(
        _("mail me"), max_length=16, choices=Notify.choices, default=Notify.EVERY_TURN
    )
    mail_delay = models.PositiveSmallIntegerField(  # minutes
        default=15, validators=[MaxValueValidator(24 * 60)]
    )
    mail_hours = models.PositiveSmallIntegerField(
        default=6, validators=[MinValueValidator(1), MaxValueValidator(72)]
    )
    digest_hour = models.PositiveSmallIntegerField(default=8, validators=[MaxValueValidator(23)])
    declined = models.JSONField(default=list, blank=True)  # topics
    snoozed_until = models.DateTimeField(null=True, blank=True)
    unsubscribed = models.BooleanField(default=False)  # from everything
    dead_address = models.EmailField(blank=True)  # one that bounced; mail to it stops
    feed_key = models.CharField(max_length=43, blank=True, db_index=True)  # of the private feeds

    class Meta:
        abstract = True

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        return zoneinfo.ZoneInfo(getattr(self, "time_zone", "") or settings.TIME_ZONE)

    def digest_moments(self, now: datetime) -> tuple[datetime, datetime]:
        """Give the last moment of the daily mail up to now and the next one after it.

        An hour that the clock skips or repeats in spring or autumn still comes once a day.
        """
        today = now.astimezone(self.zone).date()
        moments = [self._digest_on(today + timedelta(days=days)) for days in (-1, 0, 1)]
        return max(m for m in moments if m <= now), min(m for m in moments if m > now)

    def _digest_on(self, day: date) -> datetime:
        local = datetime.combine(day, time(self.digest_hour), tzinfo=self.zone)
        return local.astimezone(zoneinfo.ZoneInfo("UTC"))
