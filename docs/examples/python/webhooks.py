"""Receives webhooks, and stores each event once for `worker.py`. Needs Python 3.8 or later, and no packages:

    WEBHOOK_SECRET=whsec_... python3 webhooks.py

It listens at http://127.0.0.1:8080/hook (PORT), and keeps the events in the folder `inbox` (INBOX). In production, put a
server with https in front of it.
"""

import base64
import hashlib
import hmac
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from inbox import setting, store

PORT = int(setting("PORT", r"[0-9]+", "8080"))
KEY = base64.b64decode(setting("WEBHOOK_SECRET", r"whsec_[A-Za-z0-9+/]+=*")[6:])

TOLERANCE_SECONDS = 300
BODY_BYTES_MAX = 256 * 1024


def is_signed(headers, body):
    """Whether the service signed the bytes of the body within the last five minutes (Standard Webhooks)."""
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # There are two signatures while the secret changes.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in given)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def receive(self):
        """Stores the event of a request. Returns the status of the response."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/hook":
            return 404
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_BYTES_MAX:
            return 413
        # The bytes as they arrived, not parsed and serialised again.
        body = self.rfile.read(int(length))
        if not is_signed(self.headers, body):
            return 400
        store(self.headers["webhook-id"], body)
        return 204

    def do_POST(self):
        try:
            status = self.receive()
        except (OSError, ValueError) as error:
            # The event is not stored. The service sends it again.
            self.log_error("%s", error)
            status = 500
        self.send_response(status)
        self.send_header("Content-Length", "0")
        # At once: the service waits 10 seconds for it. The worker does the rest.
        self.end_headers()

    def log_request(self, code="-", size="-"):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Listens at http://127.0.0.1:{server.server_port}/hook", flush=True)
server.serve_forever()
