"""The program of a merchant. Each line with `type: ignore` must be an error of the type checkers."""

from cart_checkout import (
    EVENT_TYPES,
    Cart,
    CartCheckout,
    CartCheckoutError,
    HttpRequest,
    HttpResponse,
    NewCart,
    WebhookEvent,
    is_known_event,
)


def send(request: HttpRequest) -> HttpResponse:
    return HttpResponse(200, {}, request.url.encode())


client = CartCheckout("https://api.example.com", "cck_", timeout_seconds=None, transport=send)
CartCheckout("https://api.example.com", "cck_", baseURL="")  # type: ignore[call-arg]

cart: NewCart = {
    "productDocumentId": "one-course",
    "email": "ada@example.com",
    "firstName": "Ada",
    "lastName": "Lovelace",
    "phone": None,
    "lang": "fr-CA",
}


def buy() -> str:
    checkout = client.create_cart(cart, idempotency_key="order-1", timeout_seconds=5)
    client.create_cart({"email": "ada@example.com"})  # type: ignore[typeddict-item]
    client.create_cart({**cart, "meta": {"order": 1}})  # type: ignore[dict-item]
    client.create_cart(cart, "order-1")  # type: ignore[call-arg]
    client.list_events(cursor="x")  # type: ignore[call-arg]
    print(checkout["cart"]["meta"])  # type: ignore[typeddict-item]
    retrieved: Cart = client.wait_for_status(checkout["cart"]["id"])
    if retrieved["status"] == "paid":  # type: ignore[comparison-overlap]
        return ""
    refunds = retrieved.get("refunds", [])
    return checkout["redirectUrl"] if not refunds else f"{refunds[0]['amount']:.2f}"


def handle(event: WebhookEvent) -> str:
    if not is_known_event(event):
        return ""
    if event["type"] == "cart.refunded":
        return event["data"]["refund"]["id"]
    if event["type"] == "cart.duplicate_payment":
        return event["data"]["duplicatePaymentId"]
    if event["type"] == "webhook_endpoint.created":
        return event["data"]["url"]
    if event["type"] == "cart.completed":
        print(event["data"]["refund"])  # type: ignore[typeddict-item]
        return event["data"]["status"]
    return event["id"]


def subscribe() -> None:
    created = client.create_webhook_endpoint({"url": "https://shop.example.com", "eventTypes": EVENT_TYPES})
    print(created.get("secret"))
    client.update_webhook_endpoint("we_1", {"eventTypes": ["cart.paid"]})  # type: ignore[list-item]
    for products in client.product_pages(limit=10):
        print([product["pricing"] for product in products["products"]])  # type: ignore[typeddict-item]
    price_range = client.retrieve_product("one-course").get("priceRange")
    print(price_range and price_range.get("suggested"))
    for page in client.webhook_delivery_pages("we_1", limit=10):
        for delivery in page["deliveries"]:
            print(delivery["status"], [attempt.get("response") for attempt in delivery["attempts"]])


def verify(headers: dict[str, str], body: bytes) -> str:
    CartCheckout.verify_webhook("whsec_", headers, {"id": "evt_1"})  # type: ignore[arg-type]
    return CartCheckout.verify_webhook(["whsec_", "whsec_"], headers, memoryview(body))["id"]


def report(error: CartCheckoutError) -> str | None:
    if error.code in ("NO_RESPONSE", "RATE_LIMITED"):
        return None
    error.status.upper()  # type: ignore[attr-defined]
    return ", ".join(f"{each['path']}: {each['message']}" for each in error.details) + (error.help_url or "")
