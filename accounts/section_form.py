"""A section of the settings page: a form that writes its own columns and no others.

Something else about the user may change while the form is saved: an address that a mail provider
reports as dead, a visit, a day of vacation.
"""

from django import forms

from accounts.models import User


class SectionForm(forms.ModelForm):
    besides: tuple[str, ...] = ()  # columns that are no fields of the form

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        if commit:
            user.save(update_fields=[*(self._meta.fields or ()), *self.besides])
        return user
