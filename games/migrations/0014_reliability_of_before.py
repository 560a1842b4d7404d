from django.db import migrations


def fill(apps, schema_editor):
    """Mark the turns of before: how many were made in time is known, not when each was."""
    Holder = apps.get_model("games", "Holder")
    timed = Holder.objects.filter(seat__match__start__isnull=False)
    for holder in timed.select_related("seat__match").iterator(chunk_size=500):
        lost = holder.ended == "timed_out" and holder.seat.match.ending in ("on_time", "too_soon")
        missed = holder.missed + lost  # of two, who ran out of time lost: that was not counted
        if holder.turns or missed:
            holder.marked = holder.until or holder.since
            seconds = int(holder.marked.timestamp())
            holder.marks = [seconds] * holder.turns + [-seconds] * missed
            holder.save(update_fields=["marks", "marked"])


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0013_reliability'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
