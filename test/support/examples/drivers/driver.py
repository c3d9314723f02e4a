"""Calls the client for Python: reads a call from each line, and writes its outcome as a line. See `clients.ts`."""

import json
import re
import sys
from decimal import Decimal
from types import GeneratorType

from cart_checkout import CartCheckout, CartCheckoutError, HttpResponse

clock = {"now": 0.0, "pauses": []}
clients = {}


def sleep(seconds):
    clock["pauses"].append(seconds)
    clock["now"] += seconds


def snake(options):
    return {re.sub("([A-Z])", lambda found: "_" + found[1].lower(), name): value for name, value in options.items()}


def revive(value):
    """Puts the values in place that JSON does not have. See `clients.ts`."""
    special = {"nan": float("nan"), "infinity": float("inf"), "map": {1: "b"}}
    if isinstance(value, list):
        return [revive(each) for each in value]
    if isinstance(value, dict):
        return special[value["$special"]] if "$special" in value else {name: revive(each) for name, each in value.items()}
    return value


def own_transport(kind):
    def send(request):
        if kind == "failing":
            raise OSError("The test has no response")
        seen = {"method": request.method, "url": request.url, "agent": request.headers["User-Agent"]}
        return HttpResponse(200, {}, json.dumps({"id": "1", **seen}).encode())

    return send


def client_of(options):
    key = json.dumps(options)
    if key not in clients:
        if "transport" in options:
            options = {**options, "transport": own_transport(options["transport"])}
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
        outcome = {"value": perform(revive({**json.loads(line), "args": args}))}
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
                helpUrl=error.help_url,
            )
        outcome = {"error": fields}
    print(json.dumps({**outcome, "pauses": clock["pauses"]}), flush=True)
