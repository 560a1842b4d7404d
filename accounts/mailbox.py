"""The mail server of a site that has none: mail is kept in the database and shown at /outbox/."""

from collections.abc import Sequence
from email.utils import parseaddr

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend

from accounts.models import Mail


def html_of(message: EmailMessage) -> str:
    """Return the HTML version of a mail, or nothing if it has none."""
    if isinstance(message, EmailMultiAlternatives):
        for content, mimetype in message.alternatives:
            if mimetype == "text/html":
                return str(content)
    return ""


class DatabaseBackend(BaseEmailBackend):
    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        Mail.objects.bulk_create(
            Mail(
                to=parseaddr(recipient)[1].lower(),
                subject=str(message.subject),
                text=str(message.body),
                html=html_of(message),
                headers=dict(message.extra_headers) | {"From": message.from_email},
            )
            for message in email_messages
            for recipient in message.recipients()
        )
        return len(email_messages)
