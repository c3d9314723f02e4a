"""Visits a stage with the generated client, and prints what it reads as JSON."""

import json
import sys

from generated.api.carts import create_cart_checkout, get_cart
from generated.api.events import list_events
from generated.client import AuthenticatedClient
from generated.models import (
    CartDuplicatePaymentEvent,
    CreateCartCheckoutRequest,
    CreateCartCheckoutResponse,
    ErrorResponse,
    EventList,
    RetrievedCart,
    ValidationErrorResponse,
)
from generated.types import Unset

stage = json.loads(sys.argv[1])
client = AuthenticatedClient(base_url=stage["baseUrl"], token=stage["apiKey"])

request = CreateCartCheckoutRequest.from_dict(stage["buyer"])
created = create_cart_checkout.sync(client=client, body=request)
assert isinstance(created, CreateCartCheckoutResponse)

cart_id = str(created.cart.id)
retrieved = get_cart.sync(client=client, cart_id=cart_id)
assert isinstance(retrieved, RetrievedCart)

request.email = "ada"
rejected = create_cart_checkout.sync_detailed(client=client, body=request)
rejection = rejected.parsed
assert isinstance(rejection, ValidationErrorResponse)
assert not isinstance(rejection.details, Unset)

unknown = get_cart.sync_detailed(client=client, cart_id=stage["unknownCart"])
assert isinstance(unknown.parsed, ErrorResponse)

listed = list_events.sync(client=client, limit=10)
assert isinstance(listed, EventList)
events = [
    f"refund {event.data.duplicate_payment_id}"
    if isinstance(event, CartDuplicatePaymentEvent)
    else event.type_
    for event in listed.events
]

print(
    json.dumps(
        {
            "created": {
                "id": cart_id,
                "status": created.cart.status,
                "redirectUrl": created.redirect_url,
            },
            "retrieved": {
                "id": str(retrieved.id),
                "status": retrieved.status,
                "amount": retrieved.price.amount,
                "currency": retrieved.price.currency,
                "meta": retrieved.meta.to_dict(),
            },
            "rejected": {
                "status": rejected.status_code,
                "code": rejection.code,
                "paths": [issue.path for issue in rejection.details],
            },
            "unknown": {"status": unknown.status_code, "code": unknown.parsed.code},
            "events": events,
        }
    )
)
