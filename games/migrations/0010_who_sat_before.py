from django.db import migrations
from django.db.models import BooleanField, Case, Exists, F, Max, OuterRef, Q, When


def fill(apps, schema_editor):
    """Tell from the log at which line and move a seat has changed hands."""
    Holder, Seat = apps.get_model("games", "Holder"), apps.get_model("games", "Seat")
    earlier = Holder.objects.filter(seat=OuterRef("seat"), pk__lt=OuterRef("pk"))
    came_later = Q(Exists(earlier)) | Q(since__gt=F("seat__match__started"))
    held = Holder.objects.annotate(
        came_later=Case(When(came_later, then=True), default=False, output_field=BooleanField())
    )
    changed = held.filter(Q(came_later=True) | Q(substituted=True)).select_related("seat__match")
    for holder in changed.order_by("pk"):
        seat = holder.seat
        if holder.came_later:
            line, move = before(apps, seat, holder.since)
            holder.first_line, holder.first_move = line + 1, move + 1
        if holder.substituted:
            holder.last_line, holder.last_move = before(apps, seat, holder.until)
        holder.save(update_fields=["first_line", "last_line", "first_move", "last_move"])
        Seat.objects.filter(pk=seat.pk).update(changed_hands=True)


def before(apps, seat, moment):
    """Find the last line and the last move before a seat changed hands at some moment."""
    Line, Move = apps.get_model("games", "Line"), apps.get_model("games", "Move")
    lines, moves = (model.objects.filter(match=seat.match_id) for model in (Line, Move))
    said = lines.filter(at=moment)
    change = said.filter(key="site_substituted", args__seat=seat.index).first()
    change = change or said.filter(key="site_plays_on").first()
    line = change.pk - 1 if change else last(lines.filter(at__lt=moment), "pk")
    heard = last(lines.filter(pk__lte=line), "move")
    return line, max(heard, last(moves.filter(at__lt=moment), "pk"))


def last(rows, number):
    return rows.aggregate(last=Max(number))["last"] or 0


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_who_sat_when'),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
