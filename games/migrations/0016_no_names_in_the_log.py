from django.db import migrations


def forget(apps, schema_editor):
    """Take the names out of the log: who sat where is known by the holders of the seats."""
    Line = apps.get_model("games", "Line")
    for line in Line.objects.filter(key="site_substituted", args__has_key="former"):
        del line.args["former"]
        line.save(update_fields=["args"])


class Migration(migrations.Migration):
    dependencies = [("games", "0015_more_is_told")]
    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
