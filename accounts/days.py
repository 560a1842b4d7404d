"""A day that somebody names in a form."""

from datetime import date

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator


class DayField(forms.DateField):
    """A day of our times: the first and the last that a calendar knows cannot be counted on."""

    default_validators = [
        MinValueValidator(date(1970, 1, 2)),
        MaxValueValidator(date(2199, 12, 31)),
    ]
