"""Creates a cart, prints the payment address, and waits for the payment. Needs Python 3.8 or later, and no packages:

    BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... PRODUCT_ID=one-course python3 checkout.py

It waits at most POLL_SECONDS (30). Exit codes: 0 paid, 1 error, 2 payment failed or cart abandoned, 3 unpaid.
"""

import json
import os
import random
import re
import sys
import time
import uuid
from http.client import HTTPException
from itertools import count
from urllib.error import HTTPError
from urllib.request import Request, urlopen

STATUSES_TO_RETRY = {408, 429, 500, 503, 504}
RETRIES_MAX = 5
RETRY_AFTER_SECONDS_MAX = 60
EXIT_CODES = {"completed": 0, "payment_failed": 2, "abandoned": 2, "waiting_payment": 3}


def setting(name, pattern, default=""):
    value = os.environ.get(name, default)
    if not re.fullmatch(pattern, value):
        sys.exit(f"{name} is missing or malformed.")
    return value


BASE_URL = setting("BASE_URL", r"https?://[!-~]+").rstrip("/")
API_KEY = setting("API_KEY", r"[!-~]+")
PRODUCT_ID = setting("PRODUCT_ID", r"[!-~]+")
POLL_SECONDS = int(setting("POLL_SECONDS", r"[0-9]+", "30"))


def send(path, headers, body):
    """Sends a request once: a POST if it has a body, else a GET. Raises unless a complete JSON response arrives."""
    request = Request(BASE_URL + path, body, headers)
    request.add_unredirected_header("Authorization", f"Bearer {API_KEY}")
    try:
        with urlopen(request, timeout=10) as response:
            return response.status, response.headers, json.load(response)
    except HTTPError as error:
        return error.code, error.headers, json.load(error)


def call(path, headers, body=None):
    """Sends a request and retries it, up to RETRIES_MAX times. The request must be safe to repeat."""
    for retries in count():
        may_retry, retry_after_seconds = True, 0
        try:
            status, response_headers, response = send(path, headers, body)
            if status < 300:
                return response
            may_retry = status in STATUSES_TO_RETRY
            retry_after_seconds = int(response_headers.get("Retry-After", 0))
            request_id = response_headers.get("X-Request-Id", "unknown")
            failure = f"{response['code']}: {response['message']} (request {request_id})"
            for detail in response.get("details", []):
                failure += f"\n  {detail['path']}: {detail['message']}"
        except (OSError, HTTPException, ValueError) as error:
            # The request may have arrived. The Idempotency-Key makes the retry safe.
            failure = f"No response: {error}"
        if not may_retry or retries == RETRIES_MAX or retry_after_seconds > RETRY_AFTER_SECONDS_MAX:
            raise RuntimeError(failure)
        # The random part spreads the retries of clients that failed at the same time.
        time.sleep(retry_after_seconds + random.random() * 0.5 * 2**retries)


def create_cart(idempotency_key):
    headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key}
    buyer = {"email": "ada@example.com", "firstName": "Ada", "lastName": "Lovelace"}
    body = json.dumps({"productDocumentId": PRODUCT_ID, **buyer})
    return call("/api/v1/stores/cart/checkout", headers, body.encode())


def wait_for_payment(cart_id):
    """Retrieves the cart, at growing intervals, until its status changes or POLL_SECONDS are over."""
    ends_at = time.monotonic() + POLL_SECONDS
    for polls in count():
        cart = call(f"/api/v1/stores/cart/{cart_id}", {})
        left_seconds = ends_at - time.monotonic()
        if cart["status"] != "waiting_payment" or left_seconds <= 0:
            return cart
        time.sleep(min(2**polls, 8, left_seconds))


try:
    # One key per purchase attempt. A shop stores it with the order before the first request.
    created = create_cart(str(uuid.uuid4()))
    print("Redirect the buyer to", created["redirectUrl"], flush=True)
    paid = wait_for_payment(created["cart"]["id"])
    print("Status", paid["status"] + (f", payment {paid['paymentId']}" if "paymentId" in paid else ""))
    sys.exit(EXIT_CODES[paid["status"]])
except RuntimeError as error:
    sys.exit(str(error))
