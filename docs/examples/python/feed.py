"""Reads the events since the last run, and stores each one once for `worker.py`. Run it every few minutes. It needs Python
3.8 or later, and no packages:

    BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... python3 feed.py

It keeps events and the cursor in the folder `inbox` (INBOX), as `webhooks.py` does. Exit codes: 0 all read, 1 error,
2 the cursor is too old, so events are lost.
"""

import json
import random
import sys
import time
from itertools import count
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from inbox import INBOX, setting, store, write_file

BASE_URL = setting("BASE_URL", r"https?://[!-~]+").rstrip("/")
API_KEY = setting("API_KEY", r"[!-~]+")
CURSOR_FILE = INBOX / "cursor"

STATUSES_TO_RETRY = {429, 500, 503, 504}
RETRIES_MAX = 5


def read_page(cursor):
    """Reads the page after a cursor. Without a cursor, it starts with the oldest event."""
    query = urlencode({"limit": 100, **({"after": cursor} if cursor else {})})
    for retries in count():
        request = Request(f"{BASE_URL}/api/v1/stores/events?{query}")
        request.add_unredirected_header("Authorization", f"Bearer {API_KEY}")
        try:
            with urlopen(request, timeout=10) as response:
                return json.load(response)
        except HTTPError as error:
            body = json.load(error)
            if error.code not in STATUSES_TO_RETRY or retries == RETRIES_MAX:
                print(f"{body['code']}: {body['message']}", file=sys.stderr)
                for detail in body.get("details", []):
                    print(f"  {detail['path']}: {detail['message']}", file=sys.stderr)
                sys.exit(2 if error.code == 422 else 1)
            retry_after_seconds = int(error.headers.get("Retry-After", 0))
            time.sleep(retry_after_seconds + random.random() * 0.5 * 2**retries)


cursor = CURSOR_FILE.read_text() if CURSOR_FILE.exists() else None
has_more = True
while has_more:
    page = read_page(cursor)
    for event in page["events"]:
        store(event["id"], json.dumps(event).encode())
    # After the events: if a crash comes first, the next run reads the page again, and the inbox ignores known events.
    cursor, has_more = page["cursor"], page["hasMore"]
    write_file(CURSOR_FILE, cursor.encode())
