"""The vacation page: how much is left, when one is away, and where the clock runs all the same."""

from datetime import datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.days import DayField
from accounts.models import User
from config.posts import posted_from
from games import prose, queries, services
from games.clock import DAY, YEARLY_VACATION
from games.engine.contract import Refused


class VacationForm(forms.Form):
    first = DayField(
        label=gettext_lazy("First day"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days"), min_value=1, max_value=YEARLY_VACATION, initial=7
    )

    def begins(self) -> datetime:
        """Give the midnight with which the first day begins here; today begins now."""
        midnight = datetime.combine(self.cleaned_data["first"], datetime.min.time())
        begin = timezone.make_aware(midnight)
        now = timezone.now()
        return now if begin <= now < begin + DAY else begin


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def vacation(request: HttpRequest) -> HttpResponse:
    """Show and announce vacations."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - login_required has seen to it
    posted = request.POST if request.method == "POST" else None
    form = VacationForm(posted, initial={"first": timezone.localdate()})
    if request.method == "POST" and form.is_valid():
        try:
            services.vacation_start(user=user, begins=form.begins(), days=form.cleaned_data["days"])
        except Refused as refused:
            form.add_error(None, prose.refuse(refused))
        else:
            messages.success(request, _("Have a good time! Your opponents are told."))
            return redirect("vacation")
    now = timezone.now()
    matches = queries.matches_with_clock(user).prefetch_related(queries.SEATS)
    page = {
        "form": form,
        "left": services.days_left(user, now),
        "yearly": YEARLY_VACATION,
        "vacations": queries.vacations_ahead(user, now),
        "without": [match for match in matches if not match.vacations],
        "large": [match for match in matches if match.vacations and match.seats_wanted > 2],
    }
    status = 422 if form.is_bound else 200
    return render(request, "games/vacation.html", page, status=status)


@posted_from("vacation")
@login_required
def vacation_end(request: HttpRequest, vacation_id: int) -> HttpResponse:
    """Come back early, or call a coming vacation off."""
    assert isinstance(request.user, User)  # noqa: S101 - login_required has seen to it
    try:
        services.vacation_end(user=request.user, vacation_id=vacation_id)
        messages.success(request, _("Your clocks run again when the day that has begun is over."))
    except Refused as refused:
        messages.error(request, prose.refuse(refused))
    return redirect("vacation")
