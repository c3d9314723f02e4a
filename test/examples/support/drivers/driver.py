"""Calls the client for Python: reads a call from each line, and writes its outcome as a line. See `clients.ts`."""

import json
import re
import sys
from decimal import Decimal
from types import GeneratorType

import cart_checkout
from cart_checkout import CartCheckout, CartCheckoutError

clock = {"now": 0.0, "pauses": []}
clients = {}


def sleep(seconds):
    clock["pauses"].append(seconds)
    clock["now"] += seconds


def snake(options):
    return {re.sub("([A-Z])", lambda found: "_" + found[1].lower(), name): value for name, value in options.items()}


def client_of(options):
    key = json.dumps(options)
    if key not in clients:
        tests = {"random": lambda: 1.0, "sleep": sleep, "now": lambda: clock["now"]}
        clients[key] = CartCheckout(**snake(options), **tests)
    return clients[key]


def perform(call):
    owner = client_of(call["client"]) if call.get("client") else CartCheckout
    if call["method"] == "dump":
        return "\n".join([repr(owner), str(owner), f"{owner}", repr(vars(owner))])
    [method] = snake({call["method"]: None})
    value = getattr(owner, method)(*call["args"], **snake(call["options"]))
    return list(value) if isinstance(value, GeneratorType) else value


for line in sys.stdin:
    clock["pauses"] = []
    try:
        # A shop's prices are decimals.
        args = json.loads(line, parse_float=Decimal)["args"]
        outcome = {"value": perform({**json.loads(line), "args": args})}
    except Exception as error:
        fields = {"name": type(error).__name__, "message": str(error)}
        if isinstance(error, CartCheckoutError):
            fields.update(
                code=error.code,
                status=error.status,
                details=error.details,
                requestId=error.request_id,
                retryAfterSeconds=error.retry_after_seconds,
                retryable=error.retryable,
            )
        outcome = {"error": fields}
    print(json.dumps({**outcome, "pauses": clock["pauses"]}), flush=True)
