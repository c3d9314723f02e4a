# SPDX-License-Identifier: MIT-0
"""A shop with one product: it creates a cart, sends the buyer to pay, and checks the cart when the buyer returns. It needs
Python 3.10 or later, and the package cart-checkout-client:

    BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... PRODUCT_ID=one-course python3 checkout.py

Open http://127.0.0.1:8081 (PORT). The product is a course (PRODUCT_NAME) for 49.90 EUR (AMOUNT, CURRENCY). A buyer who
returns waits at most 10 seconds for the payment (WAIT_SECONDS). `webhooks.py` and `worker.py` handle
a payment that comes later. The pages use the template `../shop.html`.
"""

import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from setting import setting

from cart_checkout import CartCheckout, CartCheckoutError

PRODUCT_ID = setting("PRODUCT_ID", r"[\w-]+")
PRODUCT_NAME = setting("PRODUCT_NAME", r"[\w -]+", "Course")
AMOUNT = setting("AMOUNT", r"[0-9.]+", "49.90")
CURRENCY = setting("CURRENCY", r"[A-Z]{3}", "EUR")
PORT = int(setting("PORT", r"[0-9]+", "8081"))
WAIT_SECONDS = int(setting("WAIT_SECONDS", r"[0-9]+", "10"))
client = CartCheckout(setting("BASE_URL", r"https?://[!-~]+"), setting("API_KEY", r"[!-~]+"))

PAGES = {
    "waiting_payment": '<h1>Thank you</h1><p>We will e-mail you once your payment has arrived.</p>',
    "payment_failed": '<h1>Payment failed</h1><p>You were not charged.</p><a class="button" href="PAY_URL">Try again</a>',
    "abandoned": '<h1>Order expired</h1><p>Nobody paid it in time.</p><a class="button" href="/">Order again</a>',
    "completed": '<h1>Thank you for your order</h1><p>You have paid.</p>',
}

LEFT = '<h1>Not paid yet</h1><p>You left the payment page.</p><a class="button" href="PAY_URL">Continue to the payment</a>'

CHECK = '<h1>Thank you</h1><p>Your payment needs a check. We will e-mail you.</p>'

# In a shop, a table of the database.
orders = {}
delivering = threading.Lock()


def order_page(result, order):
    """The page of an order: its result, its number and the way back."""
    result = result.replace("PAY_URL", order["pay_url"])
    return f'{result}\n<p>Order {order["id"][:8]} · <a href="/">Back to the shop</a></p>'


def buy():
    """Creates an order and its cart. Returns the address at which the buyer pays."""
    order_id = str(uuid.uuid4())
    buyer = {"email": "ada@example.com", "firstName": "Ada", "lastName": "Lovelace"}
    shop, query = f"http://127.0.0.1:{PORT}", f"?order={order_id}"
    addresses = {"redirectURL": f"{shop}/return{query}", "cancelURL": f"{shop}/left{query}"}
    checkout = client.create_cart(
        {"productDocumentId": PRODUCT_ID, **buyer, **addresses, "meta": {"order": order_id}},
        # One key per purchase attempt. A shop stores it with the order before the call.
        idempotency_key=order_id,
    )
    pay_url = checkout["redirectUrl"]
    orders[order_id] = {"id": order_id, "cart_id": checkout["cart"]["id"], "pay_url": pay_url, "is_delivered": False}
    return pay_url


def handle_return(order_id, has_left):
    """Checks the order of a buyer who returns. Returns the page. Anyone can type the address: only the retrieved cart
    counts.

    :param has_left: without a payment, so none is on its way
    """
    order = orders.get(order_id)
    if order is None:
        return '<h1>This order does not exist</h1><a class="button" href="/">Back to the shop</a>'
    if has_left:
        cart = client.retrieve_cart(order["cart_id"])
        if cart["status"] == "waiting_payment":
            return order_page(LEFT, order)
    else:
        cart = client.wait_for_status(order["cart_id"], deadline_seconds=WAIT_SECONDS)
    with delivering:
        if cart["status"] == "completed" and not order["is_delivered"]:
            if cart["price"] != {"amount": float(AMOUNT), "currency": CURRENCY} or cart["meta"].get("order") != order["id"]:
                print(f"Order {order['id']} differs from its cart", file=sys.stderr, flush=True)
                return order_page(CHECK, order)
            order["is_delivered"] = True
            print(f"Deliver order {order['id']}", flush=True)
    return order_page(PAGES[cart["status"]], order)


TEMPLATE = (Path(__file__).parents[1] / "shop.html").read_text("utf-8")

SYMBOLS = {"EUR": "€", "USD": "$", "GBP": "£"}

PRODUCT_PAGE = f"""<h1>{PRODUCT_NAME}</h1>
<p class="price">{SYMBOLS.get(CURRENCY, CURRENCY + " ")}{AMOUNT}</p>
<form method="post" action="/buy"><button>Buy</button></form>"""


class Shop(BaseHTTPRequestHandler):
    def respond(self, make_page, status=200):
        """Sends a page, or redirects to an address."""
        try:
            page = make_page()
        except CartCheckoutError as error:
            print(error, file=sys.stderr, flush=True)
            status, page = 502, "<h1>Please try again in a minute</h1>"
        self.send_response(status)
        self.send_header(*("Location", page) if status == 303 else ("Content-Type", "text/html"))
        self.end_headers()
        self.wfile.write((page if status == 303 else TEMPLATE.replace("CONTENT", page)).encode())

    def do_POST(self):
        if urlsplit(self.path).path == "/buy":
            self.respond(buy, 303)
        else:
            self.send_error(404)

    def do_GET(self):
        url = urlsplit(self.path)
        order_id = parse_qs(url.query).get("order", [""])[0]
        is_back = url.path in ("/return", "/left")
        self.respond(lambda: handle_return(order_id, url.path == "/left") if is_back else PRODUCT_PAGE)

    def log_request(self, code="-", size="-"):
        pass


server = ThreadingHTTPServer(("127.0.0.1", PORT), Shop)
print(f"Open http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
