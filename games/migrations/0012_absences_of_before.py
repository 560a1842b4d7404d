from django.db import migrations
from django.db.models import F, Max, Q


def fill(apps, schema_editor):
    """Tell when people ran out of time for good, and when they had moved last before."""
    Holder, Line, Move, Rating = (
        apps.get_model("games", name) for name in ("Holder", "Line", "Move", "Rating")
    )
    late = Holder.objects.filter(ended="timed_out").select_related("seat__match")
    for holder in late.exclude(user=None):
        seat = holder.seat
        said = Line.objects.filter(match=seat.match_id, key="site_caretaker_timed_out")
        said = said.filter(args__seat=seat.index, at__gte=holder.since)
        if holder.until:
            said = said.filter(at__lte=holder.until)
        holder.left = said.aggregate(last=Max("at"))["last"] or holder.until
        theirs = Q(match__seats__index=F("seat"), match__seats__holders__user=holder.user_id)
        moved = Move.objects.filter(theirs, by="player")
        if holder.left:
            holder.seen = moved.filter(at__lte=holder.left).aggregate(last=Max("at"))["last"]
        holder.save(update_fields=["left", "seen"])
        Rating.objects.filter(match=seat.match_id, user=holder.user_id).update(
            left=holder.left, seen=holder.seen
        )


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0011_absences'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
