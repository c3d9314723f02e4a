# SPDX-License-Identifier: MIT-0
"""Handles the events in the inbox, one after the other, until Ctrl-C ends it. Run one worker. It needs Python 3.10 or later:

    python3 worker.py
"""

import json
import sys
import time

from inbox import DONE, INBOX


def handle(event):
    """Replace the body with the work of your shop. Events arrive in any order: before you deliver, retrieve the cart."""
    # Skip tests and changes of endpoints: they have no cart of yours.
    if event["type"].startswith("cart.") and not event.get("test"):
        print(event["type"], event["data"]["id"], flush=True)


while True:
    for path in sorted(INBOX.glob("*.json")):
        try:
            handle(json.loads(path.read_bytes()))
            # After a crash before this line, the event is handled again, so handling must be safe to repeat.
            path.replace(DONE / path.name)
        except Exception as error:
            # The event stays in the inbox, and blocks no other.
            print(f"{path.name}: {error!r}", file=sys.stderr, flush=True)
    time.sleep(1)
