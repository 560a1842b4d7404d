"""Weeks of play in a minute: real workers, beats, Redis, PostgreSQL and mail, and a made-up clock.

`World` drives the time, `crowd` plays, `Plant` runs and kills the processes, `Office` takes the
mail, and the `Observer` says of every event whether it had the mail it should have had.
"""
