# SPDX-License-Identifier: MIT-0
"""Reads the events since the last run, and stores each one once for `worker.py`. Run it every few minutes. It needs Python
3.10 or later, and the package cart-checkout-client:

    BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... python3 feed.py

It keeps events and the cursor in the folder `inbox` (INBOX), as `webhooks.py` does. Exit codes: 0 all read, 1 error,
2 the cursor is too old, so events are lost.
"""

import json
import sys

from inbox import INBOX, store, write_file
from setting import setting

from cart_checkout import CartCheckout, CartCheckoutError

client = CartCheckout(setting("BASE_URL", r"https?://[!-~]+"), setting("API_KEY", r"[!-~]+"))
CURSOR_FILE = INBOX / "cursor"

try:
    for page in client.event_pages(after=CURSOR_FILE.read_text() if CURSOR_FILE.exists() else None):
        for event in page["events"]:
            store(event["id"], json.dumps(event).encode())
        # After the events: if a crash comes first, the next run reads the page again, and the inbox ignores known events.
        write_file(CURSOR_FILE, page["cursor"].encode())
except CartCheckoutError as error:
    print(error, file=sys.stderr)
    sys.exit(2 if error.status == 422 else 1)
