# SPDX-License-Identifier: MIT-0
"""The inbox of a shop: events wait in a folder until `worker.py` has handled them. A shop with a database uses a table with
the event's id as its key.
"""

import os
import re
import threading
from pathlib import Path

from setting import setting

INBOX = Path(setting("INBOX", r"[^\0]+", "inbox"))
DONE = INBOX / "done"
# Events have buyers' data: only this user may read them.
INBOX.mkdir(mode=0o700, parents=True, exist_ok=True)
DONE.mkdir(mode=0o700, exist_ok=True)
storing = threading.Lock()


def write_file(path, content):
    """Writes a file. Its name appears only once the whole content is stored."""
    draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}")
    with open(draft, "wb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def store(event_id, body):
    """Stores an event. A repetition changes nothing: the same id is the same file."""
    if not re.fullmatch(r"[\w-]{1,100}", event_id, re.ASCII):
        raise ValueError("The id of the event is malformed")
    name = f"{event_id}.json"
    with storing:
        # In this order: the worker moves a file from the first place to the second.
        if not (INBOX / name).exists() and not (DONE / name).exists():
            write_file(INBOX / name, body)
