# SPDX-License-Identifier: MIT-0
"""The calls of the guide, with the address and the key of the local stage. Needs Python 3.10 or later, and the package
cart-checkout-client:

    python3 calls.py
"""

# region create
from cart_checkout import CartCheckout

client = CartCheckout(
    base_url="http://127.0.0.1:3000",
    api_key="cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw",
)
checkout = client.create_cart(
    {
        "productDocumentId": "one-course",
        "email": "ada@example.com",
        "firstName": "Ada",
        "lastName": "Lovelace",
        "meta": {"order": "1001"},
    },
    idempotency_key="order-1001-attempt-1",
)
print(checkout["cart"]["id"], checkout["redirectUrl"])
# endregion

# region retrieve
cart = client.retrieve_cart(checkout["cart"]["id"])
print(cart["status"], cart["price"]["amount"], cart["price"]["currency"])
# endregion

# region endpoint
created = client.create_webhook_endpoint({"url": "http://127.0.0.1:8080/hook"})
print(created["webhookEndpoint"]["id"], created.get("secret"))
# endregion

# region feed
for page in client.event_pages():
    for event in page["events"]:
        print(event["type"], event["id"])
    print("The next request begins after", page["cursor"])
# endregion
