"""A client of the Cart Checkout API for servers on Python 3.9 or later. It needs no packages: copy this file into your
project. The README beside it describes the methods and options.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import random as random_numbers
import re
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from email.message import Message
from http.client import HTTPException
from itertools import count
from typing import Any, Callable, Literal, NamedTuple, Optional, TypedDict, Union, cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

__all__ = ["CartCheckout", "CartCheckoutError", "WebhookVerificationError"]

WEBHOOK_TOLERANCE_SECONDS = 300

CartStatus = Literal["waiting_payment", "payment_failed", "abandoned", "completed"]

# The last two are the client's own: no response arrived, or one that is not the API's. The API can add codes.
ErrorCode = Union[
    Literal["INVALID_PRODUCT", "MALFORMED_REQUEST", "INVALID_API_KEY", "FORBIDDEN", "NOT_FOUND", "PAYLOAD_TOO_LARGE"],
    Literal["VALIDATION_ERROR", "IDEMPOTENCY_KEY_REUSED", "RATE_LIMITED", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"],
    Literal["WEBHOOK_ENDPOINT_NOT_FOUND", "WEBHOOK_DELIVERY_NOT_FOUND", "TOO_MANY_WEBHOOK_ENDPOINTS"],
    Literal["WEBHOOK_ENDPOINT_DISABLED", "WEBHOOK_ENDPOINT_LOCKED", "WEBHOOK_SECRET_CHANGED"],
    Literal["TEST_EVENT_LIMITED", "RESEND_LIMITED"],
    Literal["CART_COMPLETED", "CART_PAYMENT_FAILED", "TIMEOUT", "NO_RESPONSE", "UNEXPECTED_RESPONSE"],
    str,
]


class CustomerInfo(TypedDict, total=False):
    firstName: str
    lastName: str
    email: str
    phone: str
    lang: str


class Price(TypedDict):
    """An amount in the currency's main unit: 49.9 and EUR are 49.90 euros."""

    amount: float
    currency: str


class Refund(TypedDict):
    id: str
    paymentId: str
    amount: float
    currency: str
    refundedAt: str


# generated: carts
class CreatedCart(TypedDict):
    """A cart as its creation returns it. Times are ISO 8601 in UTC."""

    id: str
    createdAt: str
    updatedAt: str
    status: CartStatus
    customerInfo: CustomerInfo
    productDocumentId: str
    productName: str
    price: Price


class _RequiredCart(TypedDict):
    id: str
    createdAt: str
    updatedAt: str
    status: CartStatus
    customerInfo: CustomerInfo
    productDocumentId: str
    productName: str
    price: Price
    meta: dict[str, str]
    expiresAt: str


class Cart(_RequiredCart, total=False):
    """A cart as its retrieval returns it. A value that does not exist is absent."""

    paymentId: str
    latePayment: Literal[True]
    completedAt: str
    failureReason: str
    refunds: list[Refund]
    refundedAmount: float
    redirectUrl: str


class _RequiredNewCart(TypedDict):
    productDocumentId: str
    email: str
    firstName: str
    lastName: str


class NewCart(_RequiredNewCart, total=False):
    """The fields of a cart to create. `{CART_ID}` in `redirectURL` stands for the id of the cart."""

    phone: Optional[str]
    redirectURL: Optional[str]
    meta: Optional[dict[str, str]]
    expiresInMinutes: Optional[int]
    customerPrice: Optional[Union[float, Decimal]]
# /generated


class Checkout(TypedDict):
    """`replayed`: whether an earlier request with this key created the cart."""

    cart: CreatedCart
    redirectUrl: str
    idempotencyKey: str
    replayed: bool


class EventData(Cart, total=False):
    duplicatePaymentId: str
    refund: Refund


class CartEvent(TypedDict):
    """`data` is the cart at this time. It is empty in a `webhook.ping`, which tests an endpoint."""

    id: str
    type: str
    timestamp: str
    data: EventData


class _OptionalEndpointFields(TypedDict, total=False):
    eventTypes: list[str]
    disabledAt: str
    disabledReason: str
    createdByKeyId: str


class WebhookEndpointConfig(_OptionalEndpointFields):
    """An endpoint without `eventTypes` gets all types."""

    id: str
    url: str
    enabled: bool
    createdAt: str


class WebhookEndpoint(WebhookEndpointConfig, total=False):
    failingSince: str
    lastSuccessAt: str


class EndpointEventData(WebhookEndpointConfig, total=False):
    changedByKeyId: str


class WebhookEndpointEvent(TypedDict):
    """Its type begins with `webhook_endpoint.`. `data` is the endpoint after the change."""

    id: str
    type: str
    timestamp: str
    data: EndpointEventData


class _OptionalTypes(TypedDict, total=False):
    eventTypes: Optional[list[str]]


class NewWebhookEndpoint(_OptionalTypes):
    """`eventTypes`: `None` is all types."""

    url: str


class WebhookEndpointChanges(_OptionalTypes, total=False):
    """An absent field stays as it is."""

    url: str
    enabled: bool


class _OptionalSecret(TypedDict, total=False):
    secret: str


class CreatedWebhookEndpoint(_OptionalSecret):
    """Store `secret` now. A replay has none: rotate the secret if you lost it.

    `replayed`: whether an earlier request with this key created the endpoint.
    """

    webhookEndpoint: WebhookEndpointConfig
    idempotencyKey: str
    replayed: bool


class WebhookEndpointList(TypedDict):
    webhookEndpoints: list[WebhookEndpoint]


class DeletedWebhookEndpoint(TypedDict):
    id: str
    deleted: Literal[True]


class RotatedWebhookSecret(TypedDict):
    id: str
    secret: str
    previousSecretEndsAt: str


class _AttemptResult(TypedDict, total=False):
    status: int
    error: str
    response: str


class WebhookAttempt(_AttemptResult):
    """`error`: why there was no response, such as `timeout`. `response`: the beginning of its body."""

    attempt: int
    at: str
    durationMs: int


class _NextAttempt(TypedDict, total=False):
    nextAttemptAt: str


class WebhookDelivery(_NextAttempt):
    """`status`: `succeeded`, `retrying`, `waiting`, `failed` or `dropped`. `attempts`: the last 20, the oldest first."""

    id: str
    eventId: str
    eventType: str
    recordedAt: str
    status: str
    attempts: list[WebhookAttempt]


class WebhookDeliveryPage(TypedDict):
    deliveries: list[WebhookDelivery]
    hasMore: bool


class SentWebhookEvent(TypedDict):
    deliveryId: str
    eventId: str


class EventPage(TypedDict):
    """Store `cursor` after you have stored the events."""

    events: list[Union[CartEvent, WebhookEndpointEvent]]
    cursor: str
    hasMore: bool


class Detail(TypedDict):
    """A validation issue."""

    path: str
    message: str


class CartCheckoutError(Exception):
    """A call that failed. Decide by `status` and `code`.

    `status` is the HTTP status, or 0 without a response. Send us the `request_id` when you report a problem. `retryable`:
    whether the same call can succeed later.
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        status: int = 0,
        details: Sequence[Detail] = (),
        request_id: Optional[str] = None,
        retry_after_seconds: float = 0,
    ) -> None:
        issues = "".join(f"; {detail['path']}: {detail['message']}" for detail in details)
        super().__init__(f"{code}: {message}{f' (request {request_id})' if request_id else ''}{issues}")
        self.code = code
        self.status = status
        self.details = list(details)
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        # A 2xx is an error only if its body is incomplete.
        self.retryable = status < 300 or status in (408, 429) or status >= 500


class WebhookVerificationError(Exception):
    """A webhook that the service did not sign within the last five minutes. Respond with 400."""


class _Call(NamedTuple):
    """`is_repeatable`: a retry is safe after each error. Otherwise it is safe only after a 429."""

    method: str = "GET"
    headers: Mapping[str, str] = {}
    body: Optional[bytes] = None
    is_repeatable: bool = True


class _Response(NamedTuple):
    status: int
    headers: Message
    body: Any


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


def _parse_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _encode(value: object) -> float:
    """A `Decimal` as the JSON number with its digits. A price has at most 15."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"The cart has a {type(value).__name__}")


_ENDPOINTS_PATH = "/api/v1/stores/webhook-endpoints"


def _segment_of(name: str, value: str) -> str:
    if not isinstance(value, str) or value == "":
        raise ValueError(f"{name} is missing or malformed")
    return f"/{quote(value, safe='')}"


def _path_of(cart_id: str) -> str:
    return f"/api/v1/stores/cart{_segment_of('cart_id', cart_id)}"


def _endpoint_path_of(endpoint_id: str) -> str:
    return _ENDPOINTS_PATH + _segment_of("endpoint_id", endpoint_id)


def _query_of(**parameters: Union[str, int, None]) -> str:
    """A query of those parameters that are not `None`."""
    return "?" + urlencode({name: value for name, value in parameters.items() if value is not None})


def _json_request(content: Mapping[str, Any], method: str = "POST", **headers: str) -> _Call:
    body = json.dumps(content, default=_encode).encode()
    return _Call(method, {"Content-Type": "application/json", **headers}, body)


def _error_of(status: int, headers: Message, body: Any) -> CartCheckoutError:
    request_id = headers.get("X-Request-Id")
    retry_after = headers.get("Retry-After", "")
    retry_after_seconds = int(retry_after) if re.fullmatch("[0-9]{1,9}", retry_after) else 0
    is_error = isinstance(body, dict) and all(isinstance(body.get(name), str) for name in ("code", "message"))
    if status < 300 or not is_error:
        message = f"The {status} is not a response of the API"
        return CartCheckoutError("UNEXPECTED_RESPONSE", message, status, (), request_id, retry_after_seconds)
    details = body.get("details")
    return CartCheckoutError(
        body["code"],
        body["message"],
        status,
        details if isinstance(details, list) else (),
        request_id,
        retry_after_seconds,
    )


def _signing_key_of(secret: str) -> bytes:
    match = re.fullmatch("(?:whsec_)?([A-Za-z0-9+/]{32,}=*)", secret)
    if not match:
        raise ValueError("secret is missing or malformed")
    return base64.b64decode(match[1])


class CartCheckout:
    """A client of one stage with one API key. Threads can share it."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        timeout_seconds: float = 10,
        retries_max: int = 5,
        deadline_seconds: float = 60,
        random: Callable[[], float] = random_numbers.random,
        sleep: Callable[[float], Any] = time.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """
        :param base_url: the stage's address
        :param timeout_seconds: the longest silence of a connection
        :param deadline_seconds: no retry of a call begins later
        :param random: from 0 to 1; this and the next two are for tests
        :param now: in seconds; it never runs backwards
        :raises ValueError: if the address or the key is malformed
        """
        if not re.fullmatch(r"https?://[^\s@]+", base_url or ""):
            raise ValueError("base_url is missing or malformed")
        if not re.fullmatch(r"[!-~]+", api_key or ""):
            raise ValueError("api_key is missing or malformed")
        self._base_url = re.sub("/$", "", base_url)
        # A function: neither `repr` nor `vars` shows the key.
        self._authorization: Callable[[], str] = lambda: f"Bearer {api_key}"
        self._timeout_seconds = timeout_seconds
        self._retries_max = retries_max
        self._deadline_seconds = deadline_seconds
        self._random = random
        self._sleep = sleep
        self._now = now

    def create_cart(self, cart: NewCart, *, idempotency_key: Optional[str] = None) -> Checkout:
        """Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart.

        :param idempotency_key: by default, a new key. Better store one with the order before the call, and pass it: you can
            then repeat the call after a crash
        :raises CartCheckoutError:
        """
        return cast(Checkout, self._create("/api/v1/stores/cart/checkout", "redirectUrl", cart, idempotency_key))

    def retrieve_cart(self, cart_id: str) -> Cart:
        """
        :raises CartCheckoutError:
        """
        cart: Cart = self._retrieve(cart_id).body
        return cart

    def expire_cart(self, cart_id: str) -> Cart:
        """Ends a cart that waits for payment: it becomes `abandoned`.

        :raises CartCheckoutError: `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
        """
        cart: Cart = self._call(f"{_path_of(cart_id)}/expire", "id", _Call("POST")).body
        return cart

    def wait_for_status(
        self,
        cart_id: str,
        *,
        statuses: Iterable[CartStatus] = ("completed", "payment_failed", "abandoned"),
        deadline_seconds: float = 30,
    ) -> Cart:
        """Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.

        :returns: the cart as last retrieved: check its status
        :raises CartCheckoutError:
        """
        ends_at = self._now() + deadline_seconds
        wanted = set(statuses)
        latest: Optional[_Response] = None
        for polls in count():
            try:
                latest = self._retrieve(cart_id, latest, ends_at)
            except CartCheckoutError as error:
                if latest is None or not error.retryable:
                    raise
            left_seconds = ends_at - self._now()
            cart: Cart = latest.body
            if left_seconds <= 0 or cart["status"] in wanted:
                return cart
            self._sleep(min(2 ** min(polls, 3), left_seconds))
        raise AssertionError  # `count` has no end.

    def list_events(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> EventPage:
        """Reads one page of the feed: the events after a cursor, or the oldest ones.

        :raises CartCheckoutError: with the status 422, if the feed no longer keeps the events after the cursor
        """
        page: EventPage = self._call(f"/api/v1/stores/events{_query_of(after=after, limit=limit)}", "events").body
        return page

    def event_pages(self, *, after: Optional[str] = None, limit: Optional[int] = None) -> Iterator[EventPage]:
        """Reads the feed to its end, page by page.

        :raises CartCheckoutError: as `list_events`
        """
        has_more = True
        while has_more:
            page = self.list_events(after=after, limit=limit)
            yield page
            after, has_more = page["cursor"], page["hasMore"]

    def create_webhook_endpoint(
        self, endpoint: NewWebhookEndpoint, *, idempotency_key: Optional[str] = None
    ) -> CreatedWebhookEndpoint:
        """Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.

        :param idempotency_key: as of `create_cart`
        :returns: without `secret`, if an earlier request of the call already created it
        :raises CartCheckoutError:
        """
        return cast(
            CreatedWebhookEndpoint, self._create(_ENDPOINTS_PATH, "webhookEndpoint", endpoint, idempotency_key)
        )

    def list_webhook_endpoints(self) -> WebhookEndpointList:
        """Lists all endpoints of the key's store and mode, oldest first.

        :raises CartCheckoutError:
        """
        endpoints: WebhookEndpointList = self._call(_ENDPOINTS_PATH, "webhookEndpoints").body
        return endpoints

    def retrieve_webhook_endpoint(self, endpoint_id: str) -> WebhookEndpoint:
        """
        :raises CartCheckoutError:
        """
        endpoint: WebhookEndpoint = self._call(_endpoint_path_of(endpoint_id), "id").body
        return endpoint

    def update_webhook_endpoint(self, endpoint_id: str, changes: WebhookEndpointChanges) -> WebhookEndpoint:
        """
        :raises CartCheckoutError:
        """
        request = _json_request(changes, "PATCH")
        endpoint: WebhookEndpoint = self._call(_endpoint_path_of(endpoint_id), "id", request).body
        return endpoint

    def delete_webhook_endpoint(self, endpoint_id: str) -> DeletedWebhookEndpoint:
        """
        :raises CartCheckoutError: `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
        """
        deleted: DeletedWebhookEndpoint = self._call(_endpoint_path_of(endpoint_id), "deleted", _Call("DELETE")).body
        return deleted

    def rotate_webhook_secret(self, endpoint_id: str, *, overlap_seconds: Optional[int] = None) -> RotatedWebhookSecret:
        """Replaces the secret of an endpoint. The client retries it only after a 429: a second rotation would end the
        secret that your receiver has.

        :param overlap_seconds: how long both secrets sign; a day by default
        :raises CartCheckoutError:
        """
        content = {} if overlap_seconds is None else {"overlapSeconds": overlap_seconds}
        request = _json_request(content)._replace(is_repeatable=False)
        rotated: RotatedWebhookSecret = self._call(
            f"{_endpoint_path_of(endpoint_id)}/rotate-secret", "secret", request
        ).body
        return rotated

    def test_webhook_endpoint(self, endpoint_id: str) -> SentWebhookEvent:
        """Sends a test event to an endpoint. Its result appears in the list of deliveries.

        :raises CartCheckoutError:
        """
        sent: SentWebhookEvent = self._call(
            f"{_endpoint_path_of(endpoint_id)}/test", "deliveryId", _Call("POST")
        ).body
        return sent

    def list_webhook_deliveries(
        self, endpoint_id: str, *, before: Optional[str] = None, limit: Optional[int] = None
    ) -> WebhookDeliveryPage:
        """Lists the deliveries of an endpoint, the latest event first.

        :param before: the `recordedAt` of the last delivery of a page
        :raises CartCheckoutError:
        """
        path = f"{_endpoint_path_of(endpoint_id)}/deliveries{_query_of(before=before, limit=limit)}"
        page: WebhookDeliveryPage = self._call(path, "deliveries").body
        return page

    def resend_webhook_delivery(self, endpoint_id: str, delivery_id: str) -> SentWebhookEvent:
        """Sends the event of a delivery again.

        :raises CartCheckoutError:
        """
        path = f"{_endpoint_path_of(endpoint_id)}/deliveries{_segment_of('delivery_id', delivery_id)}/resend"
        sent: SentWebhookEvent = self._call(path, "deliveryId", _Call("POST")).body
        return sent

    @staticmethod
    def verify_webhook(
        secret: Union[str, Sequence[str]],
        headers: Mapping[str, str],
        raw_body: Union[bytes, str],
        *,
        now_seconds: Optional[float] = None,
    ) -> Union[CartEvent, WebhookEndpointEvent]:
        """Verifies a webhook (Standard Webhooks). Returns its event.

        :param secret: `whsec_...`, or several during a rotation
        :param raw_body: the body as it arrived, not parsed and serialised again
        :param now_seconds: the Unix time, for tests
        :raises WebhookVerificationError:
        """
        given = {name.lower(): value for name, value in headers.items()}
        timestamp = given.get("webhook-timestamp", "")
        now = time.time() if now_seconds is None else now_seconds
        if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > WEBHOOK_TOLERANCE_SECONDS:
            raise WebhookVerificationError("webhook-timestamp is not within five minutes of this clock")
        body = raw_body.encode() if isinstance(raw_body, str) else raw_body
        # Some frameworks decode bytes that are not UTF-8 to lone surrogates.
        signed = f"{given.get('webhook-id', '')}.{timestamp}.".encode(errors="surrogatepass") + body
        signatures = given.get("webhook-signature", "").encode(errors="surrogatepass").split(b" ")
        for each in [secret] if isinstance(secret, str) else secret:
            digest = hmac.new(_signing_key_of(each), signed, hashlib.sha256).digest()
            expected = b"v1," + base64.b64encode(digest)
            if any(hmac.compare_digest(signature, expected) for signature in signatures):
                event: Union[CartEvent, WebhookEndpointEvent] = json.loads(body)
                return event
        raise WebhookVerificationError("No signature is valid for this secret and body")

    def __repr__(self) -> str:
        return f"CartCheckout({self._base_url})"

    def _create(
        self, path: str, member: str, fields: Mapping[str, Any], idempotency_key: Optional[str]
    ) -> dict[str, Any]:
        """Sends a creation. All its requests have one `Idempotency-Key`."""
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        if not re.fullmatch("[ -~]{1,255}", key):
            raise ValueError("idempotency_key is malformed")
        response = self._call(path, member, _json_request(fields, **{"Idempotency-Key": key}))
        replayed = response.headers.get("Idempotent-Replayed") == "true"
        return {**response.body, "idempotencyKey": key, "replayed": replayed}

    def _retrieve(
        self, cart_id: str, latest: Optional[_Response] = None, ends_at: Optional[float] = None
    ) -> _Response:
        """Retrieves a cart. If it has not changed since `latest`, the response has no body."""
        etag = latest.headers.get("ETag") if latest else None
        headers = {"If-None-Match": etag} if etag else {}
        response = self._call(_path_of(cart_id), "id", _Call(headers=headers), ends_at)
        return latest if latest and response.status == 304 else response

    def _call(
        self, path: str, member: str, request: _Call = _Call(), ends_at: Optional[float] = None
    ) -> _Response:
        """Sends a request until it succeeds, cannot succeed, or its retries or its time are used up."""
        ends_at = self._now() + self._deadline_seconds if ends_at is None else ends_at
        for retries in count():
            try:
                return self._send(path, member, request)
            except CartCheckoutError as error:
                if not error.retryable or retries >= self._retries_max:
                    raise
                if not request.is_repeatable and error.status != 429:
                    raise
                # The random part spreads the retries of clients that failed at the same time.
                pause_seconds = error.retry_after_seconds + self._random() * 0.5 * 2**retries
                if self._now() + pause_seconds > ends_at:
                    raise
            self._sleep(pause_seconds)
        raise AssertionError  # `count` has no end.

    def _send(self, path: str, member: str, call: _Call) -> _Response:
        """Sends a request once. Raises unless a response with `member` reports success."""
        headers = {"User-Agent": "cart-checkout-python/1.0.0", **call.headers}
        request = Request(self._base_url + path, call.body, headers, method=call.method)
        request.add_header("Authorization", self._authorization())
        try:
            try:
                with _opener.open(request, timeout=self._timeout_seconds) as response:
                    status, received, content = response.status, response.headers, response.read()
            except HTTPError as error:
                status, received, content = error.code, error.headers, error.fp.read()
        except (OSError, HTTPException) as error:
            # The request may have arrived. `_call` knows whether a retry is safe.
            raise CartCheckoutError("NO_RESPONSE", str(error) or type(error).__name__) from error
        parsed = _parse_json(content)
        is_unchanged = status == 304 and "If-None-Match" in call.headers
        if is_unchanged or (status < 300 and isinstance(parsed, dict) and member in parsed):
            return _Response(status, received, parsed)
        raise _error_of(status, received, parsed)
