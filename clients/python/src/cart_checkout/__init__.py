# SPDX-License-Identifier: MIT-0
"""A client of the Cart Checkout API for servers on Python 3.10 or later. One file without dependencies."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import os
import random as random_numbers
import re
import selectors
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, TypeGuard, Union, cast, get_args
from urllib.parse import SplitResult, quote, unquote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass

if TYPE_CHECKING:
    # Type checkers bring this package.
    from typing_extensions import NotRequired
else:
    try:
        from typing import NotRequired
    except ImportError:
        # Python 3.10: only programs that read the types at run time need it.
        from typing import Optional as NotRequired

__version__ = "1.0.0"

__all__ = [
    "EVENT_TYPES",
    "CartCheckout",
    "CartCheckoutError",
    "HttpRequest",
    "HttpResponse",
    "WebhookVerificationError",
    "is_known_event",
]

WEBHOOK_TOLERANCE_SECONDS = 300

# The types of events that this version knows. Later versions of the API can add types.
# generated: eventTypes
EventType = Literal[
    "cart.completed",
    "cart.payment_failed",
    "cart.abandoned",
    "cart.duplicate_payment",
    "cart.refunded",
    "webhook_endpoint.created",
    "webhook_endpoint.updated",
    "webhook_endpoint.disabled",
    "webhook_endpoint.deleted",
    "webhook_endpoint.secret_rotated",
]
# /generated

EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)


# generated: types
class NewCart(TypedDict):
    """An optional field that is `null` counts as absent. The service ignores unknown fields. In test mode, it rejects
    an
    unknown field whose name is similar to that of an absent field, or which is that of another API, such as
   
    `metadata`. Lengths count Unicode code points. Text must be well-formed Unicode."""

    productDocumentId: str
    """Identifier of the product"""
    email: str
    """Buyer's e-mail, trimmed before the check."""
    firstName: str
    """Buyer's first name, trimmed before the check."""
    lastName: str
    """Buyer's last name, trimmed before the check."""
    phone: NotRequired[str | None]
    """Buyer's telephone number. An empty one counts as absent."""
    lang: NotRequired[str | None]
    """The buyer's language and region, such as `fr-CA`. It comes before the header `Accept-Language`."""
    redirectURL: NotRequired[str | None]
    """Where the buyer returns after payment: an absolute http or https URL without user name and password. The service
    replaces each `{CART_ID}` in it with the id of the cart, and rejects other placeholders. Without `{CART_ID}`, or if
    the query has a `status`, it sets `cartId` and `status` in the query, in place of your own. Note the spelling: the
    response has `redirectUrl`."""
    cancelURL: NotRequired[str | None]
    """Where a buyer goes who leaves the payment page without a payment, by the rules of `redirectURL`. Default: the
    `redirectURL`."""
    meta: NotRequired[dict[str, str] | None]
    """Custom metadata, at most 125 KiB as JSON. The retrieved cart contains it. An empty array counts as `{}`."""
    expiresInMinutes: NotRequired[int | None]
    """How long the buyer can pay, in whole minutes. Default and maximum: the stage's time, usually 1440."""
    customerPrice: NotRequired[float | Decimal | None]
    """The buyer's price for a free-pricing product, in the currency's main unit, at least its minimum. At most 15
    digits, the currency's decimals included: at most 9999999999999.99 EUR. Default: the product's suggested price.
    Without one, the field is required. For a fixed-price product, send the exact price or none."""


class Checkout(TypedDict):
    cart: CreatedCart
    redirectUrl: str
    """Address to which you redirect the buyer to pay. Note the spelling: the request has `redirectURL`."""
    idempotencyKey: str
    """Of the request"""
    replayed: bool
    """Whether an earlier request with this key created it"""


class CreatedCart(TypedDict):
    """A cart in the response to its creation"""

    id: str
    """Identifier of the cart"""
    createdAt: str
    """Time of creation, ISO 8601 in UTC"""
    updatedAt: str
    """Time of the last change of status or payment, ISO 8601 in UTC"""
    status: CartStatus
    customerInfo: CustomerInfo
    productDocumentId: str
    """The product of the cart: compare it with your order"""
    productName: str
    """The product's name at the cart's creation"""
    price: Price
    expiresAt: str
    """Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC"""


CartStatus = Literal[
    "waiting_payment",
    "completed",
    "abandoned",
    "payment_failed",
]


class CustomerInfo(TypedDict):
    """The buyer. A field without a value is absent."""

    firstName: NotRequired[str]
    lastName: NotRequired[str]
    email: NotRequired[str]
    phone: NotRequired[str]
    lang: NotRequired[str]
    """Such as `fr-CA`"""


class Price(TypedDict):
    """The amount to pay"""

    amount: float
    """In the currency's main unit, such as `49.9`"""
    currency: str
    """ISO 4217 code, such as `EUR`"""


ErrorCode = Union[Literal[
    "INVALID_PRODUCT",
    "INVALID_API_KEY",
    "VALIDATION_ERROR",
    "RATE_LIMITED",
    "CART_COMPLETED",
    "CART_PAYMENT_FAILED",
    "IDEMPOTENCY_KEY_REUSED",
    "WEBHOOK_ENDPOINT_NOT_FOUND",
    "WEBHOOK_DELIVERY_NOT_FOUND",
    "TOO_MANY_WEBHOOK_ENDPOINTS",
    "WEBHOOK_ENDPOINT_DISABLED",
    "WEBHOOK_ENDPOINT_LOCKED",
    "WEBHOOK_SECRET_CHANGED",
    "TEST_EVENT_LIMITED",
    "RESEND_LIMITED",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
    "MALFORMED_REQUEST",
    "FORBIDDEN",
    "NOT_FOUND",
    "PAYLOAD_TOO_LARGE",
    "TIMEOUT",
], str]


class Detail(TypedDict):
    """A validation issue: the path of the field, and how to fix it"""

    path: str
    """Such as `email`, `meta.color` or `headers.idempotency-key`. Empty for an issue of the whole body."""
    message: str
    """The rule that the value breaks"""


class Cart(TypedDict):
    """A cart with its payment, `meta` and expiry"""

    id: str
    """Identifier of the cart"""
    createdAt: str
    """Time of creation, ISO 8601 in UTC"""
    updatedAt: str
    """Time of the last change of status or payment, ISO 8601 in UTC"""
    status: CartStatus
    customerInfo: CustomerInfo
    productDocumentId: str
    """The product of the cart: compare it with your order"""
    productName: str
    """The product's name at the cart's creation"""
    price: Price
    expiresAt: str
    """Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC"""
    paymentId: NotRequired[str]
    """The payment that completed the cart, or the last one that failed"""
    meta: dict[str, str]
    """The `meta` of the create request, or `{}`"""
    latePayment: NotRequired[Literal[True]]
    """Present if the cart was `abandoned` when the payment succeeded"""
    completedAt: NotRequired[str]
    """Time of the payment that completed the cart, ISO 8601 in UTC"""
    failureReason: NotRequired[str]
    """Why the last payment failed, such as `card_declined`. Only in `payment_failed`, and only if the payment side
    gave a reason"""
    refunds: NotRequired[list[Refund]]
    """The refunds of all payments of the cart, the oldest first. Absent before the first"""
    refundedAmount: NotRequired[float]
    """The sum of the refunds of `paymentId`, in the currency of `price`. Absent before the first. Refunds of a
    duplicate payment do not count"""
    redirectUrl: NotRequired[str]
    """Address where the buyer pays. Present in `waiting_payment` and `payment_failed`, absent in events"""


class Refund(TypedDict):
    """Money of a payment that went back to the buyer"""

    id: str
    """Identifier of the refund"""
    paymentId: str
    """The payment: the `paymentId` of the cart, or that of a duplicate payment"""
    amount: float
    """In the currency's main unit, such as `49.9`"""
    currency: str
    """The currency of the `price`"""
    refundedAt: str
    """Time of the refund, ISO 8601 in UTC"""


class EventPage(TypedDict):
    """Events of a store in one mode"""

    events: list[FeedEvent]
    cursor: str
    """Send it as `after` to read on. It is valid for 30 days after the response."""
    hasMore: bool
    """Further events exist, so read on at once. A page can end before `limit`, even without any event."""


class CartCompletedEvent(TypedDict):
    """A payment completed the cart. Fulfil the order."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["cart.completed"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: Cart
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class CartPaymentFailedEvent(TypedDict):
    """A payment failed. The buyer can try again."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["cart.payment_failed"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: Cart
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class CartAbandonedEvent(TypedDict):
    """The cart expired without a payment. A late payment can still complete it."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["cart.abandoned"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: Cart
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class CartDuplicatePaymentEvent(TypedDict):
    """A second payment of a completed cart succeeded. Do nothing: we refund it."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["cart.duplicate_payment"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: DuplicatePaymentData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class DuplicatePaymentData(TypedDict):
    """The cart, and the second payment"""

    id: str
    """Identifier of the cart"""
    createdAt: str
    """Time of creation, ISO 8601 in UTC"""
    updatedAt: str
    """Time of the last change of status or payment, ISO 8601 in UTC"""
    status: CartStatus
    customerInfo: CustomerInfo
    productDocumentId: str
    """The product of the cart: compare it with your order"""
    productName: str
    """The product's name at the cart's creation"""
    price: Price
    expiresAt: str
    """Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC"""
    paymentId: NotRequired[str]
    """The payment that completed the cart, or the last one that failed"""
    meta: dict[str, str]
    """The `meta` of the create request, or `{}`"""
    latePayment: NotRequired[Literal[True]]
    """Present if the cart was `abandoned` when the payment succeeded"""
    completedAt: NotRequired[str]
    """Time of the payment that completed the cart, ISO 8601 in UTC"""
    failureReason: NotRequired[str]
    """Why the last payment failed, such as `card_declined`. Only in `payment_failed`, and only if the payment side
    gave a reason"""
    refunds: NotRequired[list[Refund]]
    """The refunds of all payments of the cart, the oldest first. Absent before the first"""
    refundedAmount: NotRequired[float]
    """The sum of the refunds of `paymentId`, in the currency of `price`. Absent before the first. Refunds of a
    duplicate payment do not count"""
    redirectUrl: NotRequired[str]
    """Address where the buyer pays. Present in `waiting_payment` and `payment_failed`, absent in events"""
    duplicatePaymentId: str
    """The second payment, which we refund. `paymentId` completed the cart."""


class CartRefundedEvent(TypedDict):
    """The buyer got a refund, full or partial. The cart keeps its status."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["cart.refunded"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: RefundedData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class RefundedData(TypedDict):
    """The cart, and the refund"""

    id: str
    """Identifier of the cart"""
    createdAt: str
    """Time of creation, ISO 8601 in UTC"""
    updatedAt: str
    """Time of the last change of status or payment, ISO 8601 in UTC"""
    status: CartStatus
    customerInfo: CustomerInfo
    productDocumentId: str
    """The product of the cart: compare it with your order"""
    productName: str
    """The product's name at the cart's creation"""
    price: Price
    expiresAt: str
    """Time at which a cart in `waiting_payment` becomes `abandoned`, ISO 8601 in UTC"""
    paymentId: NotRequired[str]
    """The payment that completed the cart, or the last one that failed"""
    meta: dict[str, str]
    """The `meta` of the create request, or `{}`"""
    latePayment: NotRequired[Literal[True]]
    """Present if the cart was `abandoned` when the payment succeeded"""
    completedAt: NotRequired[str]
    """Time of the payment that completed the cart, ISO 8601 in UTC"""
    failureReason: NotRequired[str]
    """Why the last payment failed, such as `card_declined`. Only in `payment_failed`, and only if the payment side
    gave a reason"""
    refunds: NotRequired[list[Refund]]
    """The refunds of all payments of the cart, the oldest first. Absent before the first"""
    refundedAmount: NotRequired[float]
    """The sum of the refunds of `paymentId`, in the currency of `price`. Absent before the first. Refunds of a
    duplicate payment do not count"""
    redirectUrl: NotRequired[str]
    """Address where the buyer pays. Present in `waiting_payment` and `payment_failed`, absent in events"""
    refund: Refund


class WebhookEndpointCreatedEvent(TypedDict):
    """A webhook endpoint was created. If it is not yours, ask us to revoke the API key."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["webhook_endpoint.created"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: WebhookEndpointEventData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class WebhookEndpointEventData(TypedDict):
    """The endpoint after the change"""

    id: str
    """Identifier of the endpoint"""
    url: str
    """Where the service sends events"""
    eventTypes: NotRequired[list[str]]
    """The types of events to send. Absent: all types"""
    enabled: bool
    """Whether the service sends events to the endpoint"""
    disabledAt: NotRequired[str]
    """Since when the endpoint is disabled, ISO 8601 in UTC"""
    disabledReason: NotRequired[Literal["merchant", "operator", "gone", "failing"] | str]
    """Why the endpoint is disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410.
    `failing`: every attempt failed for five days. Later versions can add values."""
    createdAt: str
    """When the endpoint was created, ISO 8601 in UTC"""
    createdByKeyId: NotRequired[str]
    """The beginning of the id of the API key that created it. Absent if we created it."""
    changedByKeyId: NotRequired[str]
    """The beginning of the id of the API key that made the change. Absent if we made it."""


class WebhookEndpointUpdatedEvent(TypedDict):
    """A webhook endpoint got another address or other types, or was enabled or disabled."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["webhook_endpoint.updated"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: WebhookEndpointEventData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class WebhookEndpointDisabledEvent(TypedDict):
    """The service disabled a webhook endpoint: `disabledReason` is `gone` or `failing`. Enable it when it works
    again."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["webhook_endpoint.disabled"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: WebhookEndpointEventData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class WebhookEndpointDeletedEvent(TypedDict):
    """A webhook endpoint was deleted."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["webhook_endpoint.deleted"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: WebhookEndpointEventData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class WebhookEndpointSecretRotatedEvent(TypedDict):
    """A webhook endpoint got another secret."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["webhook_endpoint.secret_rotated"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: WebhookEndpointEventData
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


class ProductList(TypedDict):
    """Products of a store"""

    products: list[Product]
    cursor: NotRequired[str]
    """Send it as `after` to read on. Absent from the last page."""
    hasMore: bool
    """Further products exist."""


class Product(TypedDict):
    """A product. A fixed price is `price`. With free pricing, it has `priceRange` instead."""

    id: str
    """Identifier of the product: `productDocumentId` in a create request"""
    name: str
    """The name that buyers see"""
    available: bool
    """`false`: a create request for it gets 400"""
    price: NotRequired[Price]
    priceRange: NotRequired[PriceRange]


class PriceRange(TypedDict):
    """The prices that a buyer may choose. Amounts are in the main unit"""

    minimum: float
    """The lowest `customerPrice`"""
    maximum: float
    """The highest `customerPrice`"""
    suggested: NotRequired[float]
    """The price without a `customerPrice`. If it is absent, send a `customerPrice`"""
    currency: str
    """ISO 4217 code, such as `EUR`"""


class NewWebhookEndpoint(TypedDict):
    url: str
    """Where the service sends events: an https address with the port 443 or 8443, without user name and password.
    Every IP address of its host must be public. The DNS must respond for the host within 1.5 seconds. The local stage
    also allows http to the same machine."""
    eventTypes: NotRequired[Sequence[EventType] | None]
    """The types of events to send. `null` is all types, also those of later versions."""


class CreatedWebhookEndpoint(TypedDict):
    """A replay has no secret. If you lost it, rotate the secret."""

    webhookEndpoint: WebhookEndpointConfig
    secret: NotRequired[str]
    """Verifies the signatures of deliveries. Store it now: no other response has it."""
    idempotencyKey: str
    """Of the request"""
    replayed: bool
    """Whether an earlier request with this key created it"""


class WebhookEndpointConfig(TypedDict):
    """A webhook endpoint as it was configured"""

    id: str
    """Identifier of the endpoint"""
    url: str
    """Where the service sends events"""
    eventTypes: NotRequired[list[str]]
    """The types of events to send. Absent: all types"""
    enabled: bool
    """Whether the service sends events to the endpoint"""
    disabledAt: NotRequired[str]
    """Since when the endpoint is disabled, ISO 8601 in UTC"""
    disabledReason: NotRequired[Literal["merchant", "operator", "gone", "failing"] | str]
    """Why the endpoint is disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410.
    `failing`: every attempt failed for five days. Later versions can add values."""
    createdAt: str
    """When the endpoint was created, ISO 8601 in UTC"""
    createdByKeyId: NotRequired[str]
    """The beginning of the id of the API key that created it. Absent if we created it."""


class WebhookEndpointList(TypedDict):
    webhookEndpoints: list[WebhookEndpoint]


class WebhookEndpoint(TypedDict):
    """A webhook endpoint"""

    id: str
    """Identifier of the endpoint"""
    url: str
    """Where the service sends events"""
    eventTypes: NotRequired[list[str]]
    """The types of events to send. Absent: all types"""
    enabled: bool
    """Whether the service sends events to the endpoint"""
    disabledAt: NotRequired[str]
    """Since when the endpoint is disabled, ISO 8601 in UTC"""
    disabledReason: NotRequired[Literal["merchant", "operator", "gone", "failing"] | str]
    """Why the endpoint is disabled. `merchant`: by your API key. `operator`: by us. `gone`: it responded with 410.
    `failing`: every attempt failed for five days. Later versions can add values."""
    createdAt: str
    """When the endpoint was created, ISO 8601 in UTC"""
    createdByKeyId: NotRequired[str]
    """The beginning of the id of the API key that created it. Absent if we created it."""
    failingSince: NotRequired[str]
    """The first failed attempt after the last success, ISO 8601 in UTC"""
    lastSuccessAt: NotRequired[str]
    """The last attempt that succeeded, ISO 8601 in UTC"""


class WebhookEndpointChanges(TypedDict):
    url: NotRequired[str | None]
    """Where the service sends events: an https address with the port 443 or 8443, without user name and password.
    Every IP address of its host must be public. The DNS must respond for the host within 1.5 seconds. The local stage
    also allows http to the same machine."""
    eventTypes: NotRequired[Sequence[EventType] | None]
    """The types of events to send. `null` is all types, also those of later versions."""
    enabled: NotRequired[bool | None]
    """`false` stops all deliveries to the endpoint. `true` resumes them, and during a pause after failures, it sends
    one waiting delivery at once. Events in between are not delivered: read the list of events. If we disabled the
    endpoint, `true` and a new address return 409."""


class DeletedWebhookEndpoint(TypedDict):
    id: str
    deleted: Literal[True]


class RotatedWebhookSecret(TypedDict):
    id: str
    secret: str
    """Verifies the signatures of deliveries. Store it now: no other response has it."""
    previousSecretEndsAt: str
    """When the old secret no longer signs, ISO 8601 in UTC"""


class SentWebhookEvent(TypedDict):
    deliveryId: str
    """Identifier of the delivery in the list of deliveries"""
    eventId: str
    """The `webhook-id` of the request that you receive"""


class WebhookDeliveryPage(TypedDict):
    deliveries: list[WebhookDelivery]
    cursor: NotRequired[str]
    """Send it as `after` to read on. Absent from the last page."""
    hasMore: bool
    """Earlier deliveries exist: read on with `after`."""


class WebhookDelivery(TypedDict):
    """One event for one endpoint, with its attempts"""

    id: str
    """Identifier of the delivery within its endpoint"""
    eventId: str
    """Identifier of the event"""
    eventType: str
    """The type of the event. A test event has `webhook.ping`, or `test.` and its type."""
    recordedAt: str
    """When the service recorded the event, ISO 8601 in UTC"""
    status: Literal["succeeded", "retrying", "waiting", "failed", "dropped"] | str
    """`succeeded`: the endpoint has the event. `retrying`: there will be another attempt. `waiting`: the delivery
    waits for the endpoint to respond to earlier requests, or to recover. `failed`: the last attempt failed. `dropped`:
    the endpoint was disabled. Later versions can add values."""
    nextAttemptAt: NotRequired[str]
    """When the next attempt is due, ISO 8601 in UTC"""
    attempts: list[WebhookAttempt]
    """The last 20, the oldest first"""


class WebhookAttempt(TypedDict):
    """An attempt to deliver an event"""

    attempt: int
    """From 1. A delivery that is sent again begins anew."""
    at: str
    """When the attempt began, ISO 8601 in UTC"""
    status: NotRequired[int]
    """The status of the response"""
    error: NotRequired[Literal["timeout", "privateAddress", "hostNotFound", "connectionFailed", "connectionClosed", "tlsFailed", "invalidResponse", "invalidUrl"] | str]
    """Why there was no response: `timeout`, `privateAddress`, `hostNotFound`, `connectionFailed`, `connectionClosed`,
    `tlsFailed`, `invalidResponse`, `invalidUrl`. Later versions can add values."""
    durationMs: int
    """How long the attempt took, in milliseconds"""
    response: NotRequired[str]
    """The beginning of the body of the response, without secrets. Of a compressed body, only its `content-encoding`."""


class WebhookPingEvent(TypedDict):
    """You test your endpoint, or an operator does. The list of events does not have this event."""

    id: str
    """Identifier of the event. A repeated delivery has the same one."""
    type: Literal["webhook.ping"]
    timestamp: str
    """When the service recorded the change, ISO 8601 in UTC. Use the order of the list: after a wrong clock,
    timestamps can go back."""
    data: dict[str, object]
    test: NotRequired[Literal[True]]
    """Present if you sent the event to test an endpoint. Its data is an example: ignore it."""


FeedEvent = Union[
    CartCompletedEvent,
    CartPaymentFailedEvent,
    CartAbandonedEvent,
    CartDuplicatePaymentEvent,
    CartRefundedEvent,
    WebhookEndpointCreatedEvent,
    WebhookEndpointUpdatedEvent,
    WebhookEndpointDisabledEvent,
    WebhookEndpointDeletedEvent,
    WebhookEndpointSecretRotatedEvent,
]


WebhookEvent = Union[
    FeedEvent,
    WebhookPingEvent,
]
# /generated

# The client's own codes: no response arrived, or one that is not the API's.
ClientErrorCode = Literal["NO_RESPONSE", "UNEXPECTED_RESPONSE"]


class CartCheckoutError(Exception):
    """A call that failed. Decide by `status` and `code`.

    `status` is the HTTP status, or 0 without a response. `details` has the validation issues. Send us the `request_id` when
    you report a problem. `help_url` is the address of a page about the error. `retryable`: whether the same call can succeed
    later.
    """

    def __init__(
        self,
        code: ErrorCode | ClientErrorCode,
        message: str,
        status: int = 0,
        details: Sequence[Detail] = (),
        request_id: str | None = None,
        retry_after_seconds: float = 0,
        help_url: str | None = None,
    ) -> None:
        issues = (f"; {each['path'] + ': ' if each['path'] else ''}{each['message']}" for each in details)
        request = f" (request {request_id})" if request_id else ""
        super().__init__(f"{code}: {message}{''.join(issues)}{request}{f'; see {help_url}' if help_url else ''}")
        self.code = code
        self.status = status
        self.details = list(details)
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        self.help_url = help_url
        # A 2xx is an error only if its body is incomplete.
        self.retryable = status < 300 or status in (408, 429) or status >= 500


class WebhookVerificationError(Exception):
    """A webhook that the service did not sign within the last five minutes. Respond with 400 and the message, which has no
    secret.
    """


def is_known_event(event: Mapping[str, Any]) -> TypeGuard[WebhookEvent]:
    """Whether this version knows the type of an event. Ignore the events of other types: later versions of the API send
    them.
    """
    return event["type"] == "webhook.ping" or event["type"] in EVENT_TYPES


class HttpRequest(NamedTuple):
    """A request for a transport. Its redirects must not be followed."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout_seconds: float


class HttpResponse(NamedTuple):
    """A response of a transport."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class _FinalResponse(HTTPResponse):
    """Passes over interim responses, such as 103, which `http.client` takes for the response (RFC 9110, 15.2)."""

    def begin(self) -> None:
        super().begin()
        while 100 <= self.status < 200:
            # Without headers, `begin` reads the next response.
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin()


class _Idle(NamedTuple):
    connection: HTTPConnection
    origin: str
    since_seconds: float
    process_id: int


class _KeepAlive:
    """The default transport: HTTP/1.1, with connections that stay open. Threads can share it. It has the proxies of the
    environment.
    """

    def __init__(self) -> None:
        self._idle: list[_Idle] = []

    def __call__(self, request: HttpRequest) -> HttpResponse:
        parts = urlsplit(request.url)
        origin = f"{parts.scheme}://{parts.netloc}"
        target = request.url[len(origin) :]
        headers = dict(request.headers)
        proxy = self._proxy_of(parts)
        if proxy and parts.scheme == "http":
            target = request.url
            headers.update(self._credentials_of(proxy))
        connection = self._take(origin, request.timeout_seconds) or self._open(parts, proxy, request.timeout_seconds)
        try:
            connection.request(request.method, target, request.body, headers)
            response = connection.getresponse()
            body = response.read()
        except BaseException:
            connection.close()
            raise
        if not response.will_close:
            self._idle.append(_Idle(connection, origin, time.monotonic(), os.getpid()))
        return HttpResponse(response.status, dict(response.headers), body)

    def _take(self, origin: str, timeout_seconds: float) -> HTTPConnection | None:
        """Takes an idle connection that the other side has left open."""
        while True:
            # Threads share the list.
            try:
                idle = self._idle.pop()
            except IndexError:
                return None
            connection = idle.connection
            # A forked process shares the connection with its parent. A network forgets long idle connections silently.
            is_own = idle.process_id == os.getpid() and idle.origin == origin
            if is_own and time.monotonic() - idle.since_seconds < 30 and connection.sock is not None:
                with selectors.DefaultSelector() as selector:
                    # A closed connection has something to read: its end.
                    selector.register(connection.sock, selectors.EVENT_READ)
                    if not selector.select(0):
                        connection.sock.settimeout(timeout_seconds)
                        return connection
            connection.close()

    @staticmethod
    def _open(parts: SplitResult, proxy: SplitResult | None, timeout_seconds: float) -> HTTPConnection:
        address = proxy or parts
        is_secure = "https" in (parts.scheme, address.scheme)
        make = HTTPSConnection if is_secure else HTTPConnection
        connection = make(address.hostname or "", address.port, timeout=timeout_seconds)
        connection.response_class = _FinalResponse
        if proxy and parts.scheme == "https":
            connection.set_tunnel(parts.hostname or "", parts.port, _KeepAlive._credentials_of(proxy))
        return connection

    @staticmethod
    def _proxy_of(parts: SplitResult) -> SplitResult | None:
        address = getproxies().get(parts.scheme)
        if not address or proxy_bypass(parts.netloc):
            return None
        return urlsplit(address if "://" in address else f"http://{address}")

    @staticmethod
    def _credentials_of(proxy: SplitResult) -> dict[str, str]:
        if proxy.username is None:
            return {}
        credentials = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
        return {"Proxy-Authorization": f"Basic {base64.b64encode(credentials.encode()).decode()}"}


class _Call(NamedTuple):
    """`is_repeatable`: a retry is safe after each error. Otherwise it is safe only after a 429."""

    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: bytes | None = None
    is_repeatable: bool = True


class _Received(NamedTuple):
    """`headers` have names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: Any


def _kind_of(value: object) -> str:
    """Names the kind of a value without the value, which may be a secret."""
    return "None" if value is None else f"a {type(value).__name__}"


def _text(name: str, value: object) -> str:
    """
    :raises ValueError: without the value, which may be a secret
    """
    if value is None or value == "":
        raise ValueError(f"{name} is missing")
    if not isinstance(value, str):
        raise TypeError(f"{name} is {_kind_of(value)}, not a str")
    if value != value.strip():
        raise ValueError(f"{name} begins or ends with white space")
    return value


def _setting(name: str, value: object) -> str:
    """A text of a setting, such as an environment variable."""
    text = _text(name, value)
    if text[0] in "\"'" and text[-1] in "\"'":
        raise ValueError(f"{name} is in quotes")
    return text


def _number(name: str, value: float | None, default: float) -> float:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is {_kind_of(value)}, not a number of at least 0")
    if not value >= 0:
        raise ValueError(f"{name} is {value}, not a number of at least 0")
    return value


def _plain(path: str, value: object) -> object:
    """The value as JSON has it. A `Decimal` becomes the number with its digits: a price has at most 15."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (float, Decimal)):
        if not math.isfinite(value):
            raise ValueError(f"{path} is {value}")
        return float(value)
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise TypeError(f"A key of {path} is {_kind_of(name)}, not a str")
        return {name: _plain(f"{path}.{name}", each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(f"{path}.{index}", each) for index, each in enumerate(value)]
    raise TypeError(f"{path} is {_kind_of(value)}, which JSON does not have")


def _json_request(name: str, content: Mapping[str, Any], method: str = "POST") -> _Call:
    if not isinstance(content, Mapping):
        raise TypeError(f"{name} is {_kind_of(content)}, not a mapping of fields")
    body = json.dumps(_plain(name, content)).encode()
    return _Call(method, {"Content-Type": "application/json"}, body)


def _parse_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


_PRODUCTS_PATH = "/api/v1/stores/products"
_ENDPOINTS_PATH = "/api/v1/stores/webhook-endpoints"


def _segment_of(name: str, value: str) -> str:
    text = _text(name, value)
    if text in (".", ".."):
        raise ValueError(f"{name} is malformed")
    return f"/{quote(text, safe='')}"


def _path_of(cart_id: str) -> str:
    return f"/api/v1/stores/cart{_segment_of('cart_id', cart_id)}"


def _endpoint_path_of(endpoint_id: str) -> str:
    return _ENDPOINTS_PATH + _segment_of("endpoint_id", endpoint_id)


def _query_of(**parameters: str | int | None) -> str:
    """A query of those parameters that are not `None`."""
    for name, value in parameters.items():
        if value == "":
            raise ValueError(f"{name} is empty")
        if isinstance(value, bool) or not isinstance(value, (str, int, type(None))):
            raise TypeError(f"{name} is {_kind_of(value)}, not a str or an int")
    return "?" + urlencode({name: value for name, value in parameters.items() if value is not None})


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError):
        return None


def _retry_after(headers: Mapping[str, str]) -> float:
    """The seconds of `Retry-After`: a number, or a date by the clock of the response."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return float(text)
    date = _date(text)
    return 0 if date is None else max(0, date - (_date(headers.get("date", "")) or time.time()))


def _printable(text: str) -> str:
    """A text without lone surrogates, which no stream can print."""
    return text.encode("utf-8", "replace").decode()


def _error_of(base_url: str, received: _Received) -> CartCheckoutError:
    status, headers, body = received
    link = re.search(r'<([^<>]+)>\s*;\s*rel="?help"?', headers.get("link", ""))
    code: str = "UNEXPECTED_RESPONSE"
    message = f"The {status} of {base_url} is not a response of the API"
    details: list[Detail] = []
    is_error = isinstance(body, dict) and all(isinstance(body.get(name), str) for name in ("code", "message"))
    if status >= 300 and is_error:
        code, message = _printable(body["code"]), _printable(body["message"])
        given = body.get("details")
        for each in given if isinstance(given, list) else []:
            if isinstance(each, dict) and all(isinstance(each.get(name), str) for name in ("path", "message")):
                details.append({"path": _printable(each["path"]), "message": _printable(each["message"])})
    request_id, help_url = headers.get("x-request-id"), link[1] if link else None
    return CartCheckoutError(code, message, status, details, request_id, _retry_after(headers), help_url)


def _signing_key_of(secret: str) -> bytes:
    text = _setting("secret", secret)
    if text.startswith("cck_"):
        raise ValueError("secret is an API key: pass the secret of the endpoint, whsec_...")
    match = re.fullmatch("(?:whsec_)?([A-Za-z0-9+/]{32,})={0,2}", text)
    # No number of bytes has a length of this remainder.
    if not match or len(match[1]) % 4 == 1:
        raise ValueError("secret is malformed")
    return base64.b64decode(match[1] + "=" * (-len(match[1]) % 4))


def _bytes_of(raw_body: object) -> bytes:
    if isinstance(raw_body, str):
        # Some frameworks decode bytes that are not UTF-8 to lone surrogates.
        return raw_body.encode(errors="surrogatepass")
    if isinstance(raw_body, (bytes, bytearray, memoryview)):
        return bytes(raw_body)
    raise TypeError(
        f"raw_body is {_kind_of(raw_body)}: pass the bytes as they arrived, not parsed. They are `request.get_data()` in "
        "Flask, `request.body` in Django, and `await request.body()` in FastAPI"
    )


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"There is no header {name}")
    return value


class CartCheckout:
    """A client of one stage with one API key. Threads can share it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        timeout_seconds: float | None = None,
        retries_max: int | None = None,
        deadline_seconds: float | None = None,
        *,
        transport: Callable[[HttpRequest], HttpResponse] | None = None,
        random: Callable[[], float] = random_numbers.random,
        sleep: Callable[[float], Any] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        :param base_url: the stage's address
        :param timeout_seconds: the longest silence of a connection; 10 by default
        :param retries_max: 5 by default
        :param deadline_seconds: no retry of a call begins later; 60 by default
        :param transport: sends the requests, and raises `OSError` if no response arrives
        :param random: from 0 to 1; this and the next two are for tests
        :param now: in seconds; it never runs backwards
        :raises ValueError: if the address or the key is missing or malformed
        """
        self._base_url = re.sub("/$", "", _setting("base_url", base_url))
        if not re.fullmatch(r"https?://[^\s@]+", self._base_url):
            raise ValueError("base_url is malformed: pass an address such as https://api.example.com")
        key = _setting("api_key", api_key)
        if key.startswith("whsec_"):
            raise ValueError("api_key is the secret of a webhook endpoint: pass cck_...")
        if not re.fullmatch("[!-~]+", key):
            raise ValueError("api_key is malformed")
        # A function: neither `repr` nor `vars` shows the key.
        self._authorization: Callable[[], str] = lambda: f"Bearer {key}"
        self._timeout_seconds = _number("timeout_seconds", timeout_seconds, 10)
        self._retries_max = _number("retries_max", retries_max, 5)
        self._deadline_seconds = _number("deadline_seconds", deadline_seconds, 60)
        self._transport = transport or _KeepAlive()
        self._random = random
        self._sleep = sleep
        self._now = now

    def create_cart(
        self,
        cart: NewCart,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> Checkout:
        """Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart.

        :param idempotency_key: by default, a new key. Better store one with the order before the call, and pass it: you can
            then repeat the call after a crash
        :param timeout_seconds: of this call, as in each other method
        :raises CartCheckoutError:
        """
        request = _json_request("cart", cart)
        path = "/api/v1/stores/cart/checkout"
        return cast(Checkout, self._create(path, "redirectUrl", request, idempotency_key, timeout_seconds))

    def retrieve_cart(self, cart_id: str, *, timeout_seconds: float | None = None) -> Cart:
        """
        :raises CartCheckoutError:
        """
        return cast(Cart, self._retrieve(cart_id, timeout_seconds).body)

    def expire_cart(self, cart_id: str, *, timeout_seconds: float | None = None) -> Cart:
        """Ends a cart that waits for payment: it becomes `abandoned`.

        :raises CartCheckoutError: `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
        """
        path = f"{_path_of(cart_id)}/expire"
        return cast(Cart, self._call(path, "id", _Call("POST"), timeout_seconds).body)

    def wait_for_status(
        self,
        cart_id: str,
        *,
        statuses: Iterable[CartStatus] | None = None,
        deadline_seconds: float | None = None,
        timeout_seconds: float | None = None,
    ) -> Cart:
        """Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.

        :param statuses: by default, each status except `waiting_payment`
        :param deadline_seconds: 30 by default
        :returns: the cart as last retrieved: check its status
        :raises CartCheckoutError:
        """
        ends_at = self._now() + _number("deadline_seconds", deadline_seconds, 30)
        if isinstance(statuses, str):
            raise TypeError("statuses is a str, not a list")
        wanted = {"completed", "payment_failed", "abandoned"} if statuses is None else set(statuses)
        latest: _Received | None = None
        for polls in count():
            try:
                latest = self._retrieve(cart_id, timeout_seconds, latest, ends_at)
            except CartCheckoutError as error:
                if latest is None or not error.retryable:
                    raise
            left_seconds = ends_at - self._now()
            cart: Cart = latest.body
            if left_seconds <= 0 or cart["status"] in wanted:
                return cart
            self._sleep(min(2 ** min(polls, 3), left_seconds))
        raise AssertionError  # `count` has no end.

    def list_products(
        self, *, after: str | None = None, limit: int | None = None, timeout_seconds: float | None = None
    ) -> ProductList:
        """Reads one page of the store's products, also those that are not available.

        :param after: the cursor of the last page
        :raises CartCheckoutError:
        """
        path = _PRODUCTS_PATH + _query_of(after=after, limit=limit)
        return cast(ProductList, self._call(path, "products", _Call(), timeout_seconds).body)

    def product_pages(
        self, *, after: str | None = None, limit: int | None = None, timeout_seconds: float | None = None
    ) -> Iterator[ProductList]:
        """Reads the store's products to the end, page by page.

        :raises CartCheckoutError:
        """
        has_more = True
        while has_more:
            page = self.list_products(after=after, limit=limit, timeout_seconds=timeout_seconds)
            yield page
            after, has_more = page.get("cursor"), page["hasMore"]

    def retrieve_product(self, product_document_id: str, *, timeout_seconds: float | None = None) -> Product:
        """
        :raises CartCheckoutError:
        """
        path = _PRODUCTS_PATH + _segment_of("product_document_id", product_document_id)
        return cast(Product, self._call(path, "id", _Call(), timeout_seconds).body)

    def list_events(
        self, *, after: str | None = None, limit: int | None = None, timeout_seconds: float | None = None
    ) -> EventPage:
        """Reads one page of the feed: the events after a cursor, or the oldest ones.

        :returns: Check each event with `is_known_event`: later versions of the API send events of other types
        :raises CartCheckoutError: with the status 422, if the feed no longer keeps the events after the cursor
        """
        path = f"/api/v1/stores/events{_query_of(after=after, limit=limit)}"
        return cast(EventPage, self._call(path, "events", _Call(), timeout_seconds).body)

    def event_pages(
        self, *, after: str | None = None, limit: int | None = None, timeout_seconds: float | None = None
    ) -> Iterator[EventPage]:
        """Reads the feed to its end, page by page.

        :raises CartCheckoutError: as `list_events`
        """
        has_more = True
        while has_more:
            page = self.list_events(after=after, limit=limit, timeout_seconds=timeout_seconds)
            yield page
            after, has_more = page["cursor"], page["hasMore"]

    def create_webhook_endpoint(
        self,
        endpoint: NewWebhookEndpoint,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
    ) -> CreatedWebhookEndpoint:
        """Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.

        :param idempotency_key: as of `create_cart`
        :returns: without `secret`, if an earlier request of the call already created it
        :raises CartCheckoutError:
        """
        request = _json_request("endpoint", endpoint)
        created = self._create(_ENDPOINTS_PATH, "webhookEndpoint", request, idempotency_key, timeout_seconds)
        return cast(CreatedWebhookEndpoint, created)

    def list_webhook_endpoints(self, *, timeout_seconds: float | None = None) -> WebhookEndpointList:
        """Lists all endpoints of the key's store and mode, oldest first.

        :raises CartCheckoutError:
        """
        response = self._call(_ENDPOINTS_PATH, "webhookEndpoints", _Call(), timeout_seconds)
        return cast(WebhookEndpointList, response.body)

    def retrieve_webhook_endpoint(
        self, endpoint_id: str, *, timeout_seconds: float | None = None
    ) -> WebhookEndpoint:
        """
        :raises CartCheckoutError:
        """
        path = _endpoint_path_of(endpoint_id)
        return cast(WebhookEndpoint, self._call(path, "id", _Call(), timeout_seconds).body)

    def update_webhook_endpoint(
        self, endpoint_id: str, changes: WebhookEndpointChanges, *, timeout_seconds: float | None = None
    ) -> WebhookEndpoint:
        """
        :param changes: an absent field stays as it is
        :raises CartCheckoutError:
        """
        request = _json_request("changes", changes, "PATCH")
        path = _endpoint_path_of(endpoint_id)
        return cast(WebhookEndpoint, self._call(path, "id", request, timeout_seconds).body)

    def delete_webhook_endpoint(
        self, endpoint_id: str, *, timeout_seconds: float | None = None
    ) -> DeletedWebhookEndpoint:
        """
        :raises CartCheckoutError: `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
        """
        path = _endpoint_path_of(endpoint_id)
        return cast(DeletedWebhookEndpoint, self._call(path, "deleted", _Call("DELETE"), timeout_seconds).body)

    def rotate_webhook_secret(
        self, endpoint_id: str, *, overlap_seconds: int | None = None, timeout_seconds: float | None = None
    ) -> RotatedWebhookSecret:
        """Replaces the secret of an endpoint. The client retries it only after a 429: a second rotation would end the
        secret that your receiver has.

        :param overlap_seconds: how long both secrets sign; a day by default
        :raises CartCheckoutError:
        """
        content = {} if overlap_seconds is None else {"overlapSeconds": overlap_seconds}
        request = _json_request("options", content)._replace(is_repeatable=False)
        path = f"{_endpoint_path_of(endpoint_id)}/rotate-secret"
        return cast(RotatedWebhookSecret, self._call(path, "secret", request, timeout_seconds).body)

    def test_webhook_endpoint(
        self, endpoint_id: str, *, event_type: str | None = None, timeout_seconds: float | None = None
    ) -> SentWebhookEvent:
        """Sends a test event to an endpoint. Its result appears in the list of deliveries.

        :param event_type: the type of the event, in test mode; a `webhook.ping` by default
        :raises CartCheckoutError:
        """
        path = f"{_endpoint_path_of(endpoint_id)}/test{_query_of(eventType=event_type)}"
        return cast(SentWebhookEvent, self._call(path, "deliveryId", _Call("POST"), timeout_seconds).body)

    def list_webhook_deliveries(
        self,
        endpoint_id: str,
        *,
        after: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> WebhookDeliveryPage:
        """Lists one page of the deliveries of an endpoint, the latest event first.

        :param after: the cursor of the last page; without it, from the latest delivery on
        :param before: instead of `after`: a time, such as the `recordedAt` of a delivery
        :raises CartCheckoutError:
        """
        query = _query_of(after=after, before=before, limit=limit)
        path = f"{_endpoint_path_of(endpoint_id)}/deliveries{query}"
        return cast(WebhookDeliveryPage, self._call(path, "deliveries", _Call(), timeout_seconds).body)

    def webhook_delivery_pages(
        self,
        endpoint_id: str,
        *,
        after: str | None = None,
        before: str | None = None,
        limit: int | None = None,
        timeout_seconds: float | None = None,
    ) -> Iterator[WebhookDeliveryPage]:
        """Reads all deliveries of an endpoint, page by page, the latest event first.

        :raises CartCheckoutError:
        """
        has_more = True
        while has_more:
            page = self.list_webhook_deliveries(
                endpoint_id, after=after, before=before, limit=limit, timeout_seconds=timeout_seconds
            )
            yield page
            after, before = page.get("cursor"), None
            has_more = page["hasMore"] and after is not None

    def resend_webhook_delivery(
        self, endpoint_id: str, delivery_id: str, *, timeout_seconds: float | None = None
    ) -> SentWebhookEvent:
        """Sends the event of a delivery again.

        :raises CartCheckoutError:
        """
        path = f"{_endpoint_path_of(endpoint_id)}/deliveries{_segment_of('delivery_id', delivery_id)}/resend"
        return cast(SentWebhookEvent, self._call(path, "deliveryId", _Call("POST"), timeout_seconds).body)

    @staticmethod
    def verify_webhook(
        secret: str | Sequence[str],
        headers: Mapping[str, str],
        raw_body: bytes | bytearray | memoryview | str,
        *,
        now_seconds: float | None = None,
    ) -> WebhookEvent:
        """Verifies a webhook (Standard Webhooks).

        :param secret: `whsec_...`, or several during a rotation
        :param headers: of the request, or its WSGI variables, such as `request.META` of Django
        :param raw_body: the body as it arrived, not parsed and serialised again
        :param now_seconds: the Unix time, for tests
        :returns: Check the event with `is_known_event`: later versions of the API send events of other types
        :raises WebhookVerificationError: if the service did not sign it within five minutes
        :raises ValueError: if the secret is missing or malformed
        :raises TypeError: if the body is parsed
        """
        secrets = [secret] if isinstance(secret, str) else list(secret or [""])
        keys = [_signing_key_of(each) for each in secrets]
        body = _bytes_of(raw_body)
        if not callable(getattr(headers, "items", None)):
            raise TypeError(f"headers is {_kind_of(headers)}: pass the headers of the request")
        given = {
            re.sub("^http-", "", str(name).lower().replace("_", "-")): value for name, value in headers.items()
        }
        event_id, timestamp = _header(given, "webhook-id"), _header(given, "webhook-timestamp")
        signatures = _header(given, "webhook-signature").encode(errors="surrogatepass").split(b" ")
        if not re.fullmatch("[0-9]{1,12}", timestamp):
            raise WebhookVerificationError("webhook-timestamp is no Unix time")
        age_seconds = round((time.time() if now_seconds is None else now_seconds) - int(timestamp))
        if abs(age_seconds) > WEBHOOK_TOLERANCE_SECONDS:
            side = "behind" if age_seconds > 0 else "ahead of"
            raise WebhookVerificationError(
                f"webhook-timestamp is {abs(age_seconds)} s {side} this clock, which is more than "
                f"{WEBHOOK_TOLERANCE_SECONDS} s"
            )
        signed = f"{event_id}.{timestamp}.".encode(errors="surrogatepass") + body
        for key in keys:
            expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
            if any(hmac.compare_digest(signature, expected) for signature in signatures):
                return cast(WebhookEvent, json.loads(body))
        raise WebhookVerificationError(
            "No signature is valid for this secret and body: is it the secret of another endpoint, or was the body parsed "
            f"and serialised again? SHA-256 of the body: {hashlib.sha256(body).hexdigest()}"
        )

    def __repr__(self) -> str:
        return f"CartCheckout({self._base_url})"

    def _create(
        self, path: str, member: str, request: _Call, idempotency_key: str | None, timeout_seconds: float | None
    ) -> dict[str, Any]:
        """Sends a creation. All its requests have one `Idempotency-Key`."""
        # HTTP strips white space at the ends of a header.
        key = _text("idempotency_key", str(uuid.uuid4()) if idempotency_key is None else idempotency_key)
        if not re.fullmatch("[ -~]{1,255}", key):
            raise ValueError("idempotency_key is malformed: 1 to 255 printable ASCII characters")
        headers = {**request.headers, "Idempotency-Key": key}
        response = self._call(path, member, request._replace(headers=headers), timeout_seconds)
        replayed = response.headers.get("idempotent-replayed") == "true"
        return {**response.body, "idempotencyKey": key, "replayed": replayed}

    def _retrieve(
        self,
        cart_id: str,
        timeout_seconds: float | None,
        latest: _Received | None = None,
        ends_at: float | None = None,
    ) -> _Received:
        """Retrieves a cart. If it has not changed since `latest`, the response has no body."""
        etag = latest.headers.get("etag") if latest else None
        request = _Call(headers={"If-None-Match": etag} if etag else {})
        response = self._call(_path_of(cart_id), "id", request, timeout_seconds, ends_at)
        return latest if latest and response.status == 304 else response

    def _call(
        self, path: str, member: str, call: _Call, timeout_seconds: float | None, ends_at: float | None = None
    ) -> _Received:
        """Sends a request until it succeeds, cannot succeed, or its retries or its time are used up."""
        limit_seconds = _number("timeout_seconds", timeout_seconds, self._timeout_seconds)
        ends_at = self._now() + self._deadline_seconds if ends_at is None else ends_at
        for retries in count():
            try:
                return self._send(path, member, call, limit_seconds)
            except CartCheckoutError as error:
                if not error.retryable or retries >= self._retries_max:
                    raise
                if not call.is_repeatable and error.status != 429:
                    raise
                # The random part spreads the retries of clients that failed at the same time.
                pause_seconds = error.retry_after_seconds + self._random() * 0.5 * 2**retries
                if self._now() + pause_seconds > ends_at:
                    raise
            self._sleep(pause_seconds)
        raise AssertionError  # `count` has no end.

    def _send(self, path: str, member: str, call: _Call, timeout_seconds: float) -> _Received:
        """Sends a request once. Raises unless a response with `member` reports success."""
        headers = {
            **call.headers,
            "Authorization": self._authorization(),
            "User-Agent": f"cart-checkout-python/{__version__}",
        }
        request = HttpRequest(call.method, self._base_url + path, headers, call.body, timeout_seconds)
        try:
            status, given, content = self._transport(request)
        except (OSError, HTTPException) as error:
            # The request may have arrived. `_call` knows whether a retry is safe.
            reason = str(error) or type(error).__name__
            hint = ". Does this address use http?" if re.search("(?i)wrong.version|record layer", reason) else ""
            raise CartCheckoutError("NO_RESPONSE", f"{self._base_url}: {reason}{hint}") from error
        parsed = _parse_json(content)
        received = _Received(status, {name.lower(): value for name, value in given.items()}, parsed)
        is_unchanged = status == 304 and "If-None-Match" in call.headers
        if is_unchanged or (200 <= status < 300 and isinstance(parsed, dict) and member in parsed):
            return received
        raise _error_of(self._base_url, received)
