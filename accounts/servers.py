"""What the errors of mail servers mean: a mail that certainly did not leave may be sent again.

Anything else (a connection lost after the text was sent, a time-out while waiting for the answer)
may mean that the mail has left, and is never repeated.
"""

import smtplib
import socket

from anymail.exceptions import AnymailAPIError, AnymailError
from urllib3.exceptions import ConnectTimeoutError

# An answer of the server, or no connection to it at all; ValueError: an impossible address.
CERTAIN = (
    smtplib.SMTPResponseException,
    smtplib.SMTPRecipientsRefused,
    smtplib.SMTPNotSupportedError,
    ConnectionRefusedError,
    socket.gaierror,
    ConnectTimeoutError,
    ValueError,
)


def never_left(failure: BaseException | None, besides: BaseException | None = None) -> bool:
    """Tell whether a mail that failed to be sent has certainly not left.

    What led to a failure is looked at too, but not what was being handled `besides`, before the
    mail was given to the server: a worker's process may be born while its broker refuses.
    """
    while failure is not None and failure is not besides:
        if isinstance(failure, CERTAIN):
            return True
        if isinstance(failure, AnymailAPIError):
            if failure.status_code is not None:
                return True
        elif isinstance(failure, AnymailError):  # refused before anything was sent
            return True
        failure = failure.__cause__ or failure.__context__
    return False
