# SPDX-License-Identifier: MIT-0
"""Receives webhooks, and stores each event once for `worker.py`. Needs Python 3.10 or
later, and the package cart-checkout-client:

    WEBHOOK_SECRET=whsec_... python3 webhooks.py

It listens at http://127.0.0.1:8080/hook (PORT), and keeps the events in the folder `inbox` (INBOX). In production, put a
server with https in front of it.
"""

import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from inbox import store
from setting import setting

from cart_checkout import CartCheckout, WebhookVerificationError

PORT = int(setting("PORT", r"[0-9]+", "8080"))
WEBHOOK_SECRET = setting("WEBHOOK_SECRET", r"whsec_[A-Za-z0-9+/]+=*")

BODY_BYTES_MAX = 256 * 1024


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def receive(self):
        """Stores the event of a request. Returns the status and the text of the response."""
        length = self.headers.get("Content-Length", "")
        if self.path != "/hook":
            return 404, ""
        if not re.fullmatch("[0-9]{1,9}", length) or int(length) > BODY_BYTES_MAX:
            return 413, ""
        # region verify
        # The bytes as they arrived, not parsed and serialised again.
        body = self.rfile.read(int(length))
        try:
            event = CartCheckout.verify_webhook(WEBHOOK_SECRET, self.headers, body)
        except WebhookVerificationError as error:
            print(f"Rejected: {error}", file=sys.stderr, flush=True)
            # The list of deliveries shows this text.
            return 400, str(error)
        # endregion
        store(event["id"], body)
        print("Received", event["type"], event["id"], flush=True)
        return 204, ""

    def do_POST(self):
        try:
            status, text = self.receive()
        except (OSError, ValueError) as error:
            # The event is not stored. The service sends it again.
            self.log_error("%s", error)
            status, text = 500, ""
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(content)))
        # At once: the service waits 10 seconds for the response. The worker does the rest.
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, code="-", size="-"):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(f"Listens at http://127.0.0.1:{server.server_port}/hook", flush=True)
server.serve_forever()
