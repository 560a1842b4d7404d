"""The accounts app: people, guests, their settings and the development mailbox."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import bounces

        bounces.listen()
