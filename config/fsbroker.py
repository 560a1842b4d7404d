"""A Celery broker that needs no server: kombu's file transport, made safe.

kombu creates a message file first and fills it afterwards; a reader that comes in between sees
half a message and the worker dies (kombu issue 1551). Here a message is written aside and
renamed into place, and claimed by renaming it away: both are atomic. Messages are delivered at
most once, which is enough for us (see config/celery.py).
"""

import uuid
from pathlib import Path
from queue import Empty
from time import time_ns
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads


class Channel(filesystem.Channel):
    """One folder with a file per message, named by time so that the oldest comes first."""

    def _waiting(self, queue: str) -> list[Path]:
        # Messages being written aside start with a dot, so their first part is empty.
        try:
            return sorted(
                path
                for path in Path(self.data_folder_in).iterdir()
                if path.name.partition(".")[2] == f"{queue}.msg"
            )
        except OSError:  # the folder is away: the worker waits for it, as for any broker
            return []

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        folder.mkdir(exist_ok=True)
        name = f"{time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        aside = folder / f".{name}"
        try:
            aside.write_text(dumps(payload))
            aside.rename(folder / name)
        except OSError:  # the disk is full: half a message is left to nobody
            aside.unlink(missing_ok=True)
            raise

    def _get(self, queue: str) -> Any:  # type: ignore[override]
        for message in self._waiting(queue):
            claimed = Path(self.processed_folder) / f"{uuid.uuid4().hex}.taken"
            try:
                message.rename(claimed)
            except OSError:  # another consumer was faster, or nothing can be written here now
                continue
            try:
                return loads(claimed.read_text())
            except (OSError, ValueError):  # a damaged file must never stop the worker
                continue
            finally:
                claimed.unlink(missing_ok=True)
        raise Empty

    def _purge(self, queue: str) -> int:
        messages = self._waiting(queue)
        for message in messages:
            message.unlink(missing_ok=True)
        return len(messages)

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))


class Transport(filesystem.Transport):
    Channel = Channel
