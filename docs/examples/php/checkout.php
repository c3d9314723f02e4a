<?php

// SPDX-License-Identifier: MIT-0
// A shop with one product: it creates a cart, sends the buyer to pay, and checks the cart when the buyer returns. Needs PHP
// 8.2 or later, and the package cart-checkout/client:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... PRODUCT_ID=one-course php -S 127.0.0.1:8081 checkout.php
//
// Open http://127.0.0.1:8081. The product is a course (PRODUCT_NAME) for 49.90 EUR (AMOUNT, CURRENCY). A buyer who
// returns waits at most 10 seconds for the payment (WAIT_SECONDS). `webhooks.php` and `worker.php` handle
// a payment that comes later. The orders are files in the folder `orders` (ORDERS). The pages use the template
// `../shop.html`.

declare(strict_types=1);

use CartCheckout\Client;
use CartCheckout\ClientInterface;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/setting.php';

const PAGES = [
    'waiting_payment' => '<h1>Thank you</h1><p>We will e-mail you once your payment has arrived.</p>',
    'payment_failed' => '<h1>Payment failed</h1><p>You were not charged.</p><a class="button" href="PAY_URL">Try again</a>',
    'abandoned' => '<h1>Order expired</h1><p>Nobody paid it in time.</p><a class="button" href="/">Order again</a>',
    'completed' => '<h1>Thank you for your order</h1><p>You have paid.</p>',
];

const LEFT = '<h1>Not paid yet</h1><p>You left the payment page.</p><a class="button" href="PAY_URL">Continue to the payment</a>';

const CHECK = '<h1>Thank you</h1><p>Your payment needs a check. We will e-mail you.</p>';

function amount(): string
{
    return setting('AMOUNT', '/^[\d.]+$/D', '49.90');
}

function currency(): string
{
    return setting('CURRENCY', '/^[A-Z]{3}$/D', 'EUR');
}

/** The file of an order. In a shop, a row of the database. */
function fileOf(string $orderId): string
{
    $folder = setting('ORDERS', '/^[^\0]+$/D', 'orders');
    if (!is_dir($folder) && !@mkdir($folder, 0700, true) && !is_dir($folder)) {
        throw new RuntimeException('The folder of the orders cannot be made.');
    }
    return "$folder/$orderId.json";
}

/** The page of an order: its result, its number and the way back. */
function orderPage(string $result, array $order): string
{
    $number = substr($order['id'], 0, 8);
    return str_replace('PAY_URL', $order['payUrl'], $result)
        . "\n<p>Order $number · <a href=\"/\">Back to the shop</a></p>";
}

/** Creates an order and its cart. Returns the address at which the buyer pays. */
function buy(ClientInterface $client): string
{
    $id = bin2hex(random_bytes(16));
    $buyer = ['email' => 'ada@example.com', 'firstName' => 'Ada', 'lastName' => 'Lovelace'];
    $shop = "http://127.0.0.1:{$_SERVER['SERVER_PORT']}";
    ['cart' => $cart, 'redirectUrl' => $payUrl] = $client->createCart([
        'productDocumentId' => setting('PRODUCT_ID', '/^[\w-]+$/D'),
        ...$buyer,
        'redirectURL' => "$shop/return?order=$id",
        'cancelURL' => "$shop/left?order=$id",
        'meta' => ['order' => $id],
        // One key per purchase attempt. A shop stores it with the order before the call.
    ], idempotencyKey: $id);
    $order = json_encode(['id' => $id, 'cartId' => $cart['id'], 'payUrl' => $payUrl], JSON_THROW_ON_ERROR);
    if (file_put_contents(fileOf($id), $order) !== strlen($order)) {
        throw new RuntimeException('The order cannot be stored.');
    }
    return $payUrl;
}

/**
 * Checks the order of a buyer who returns. Returns the page. Anyone can type the address: only the cart counts.
 *
 * @param bool $hasLeft without a payment, so none is on its way
 */
function handleReturn(ClientInterface $client, string $orderId, bool $hasLeft): string
{
    if (!preg_match('/^[0-9a-f]{32}$/D', $orderId) || !file_exists(fileOf($orderId))) {
        return '<h1>This order does not exist</h1><a class="button" href="/">Back to the shop</a>';
    }
    $order = json_decode((string) file_get_contents(fileOf($orderId)), true, 512, JSON_THROW_ON_ERROR);
    $waitSeconds = (float) setting('WAIT_SECONDS', '/^\d+$/D', '10');
    $cart = $hasLeft
        ? $client->retrieveCart($order['cartId'])
        : $client->waitForStatus($order['cartId'], deadlineSeconds: $waitSeconds);
    if ($hasLeft && $cart['status'] === 'waiting_payment') {
        return orderPage(LEFT, $order);
    }
    if ($cart['status'] === 'completed') {
        $isPaid = $cart['price'] == ['amount' => (float) amount(), 'currency' => currency()];
        if (!$isPaid || ($cart['meta']['order'] ?? '') !== $order['id']) {
            error_log("Order {$order['id']} differs from its cart");
            return orderPage(CHECK, $order);
        }
        // Only one process can create the file.
        if (@fopen(fileOf($orderId) . '.delivered', 'x')) {
            error_log("Deliver order {$order['id']}");
        }
    }
    return orderPage(PAGES[$cart['status']], $order);
}

function productPage(): string
{
    $name = setting('PRODUCT_NAME', '/^[\w -]+$/D', 'Course');
    $price = (['EUR' => '€', 'USD' => '$', 'GBP' => '£'][currency()] ?? currency() . ' ') . amount();
    return "<h1>$name</h1>\n<p class=\"price\">$price</p>\n"
        . '<form method="post" action="/buy"><button>Buy</button></form>';
}

function sendPage(string $content): void
{
    echo str_replace('CONTENT', $content, (string) file_get_contents(__DIR__ . '/../shop.html'));
}

try {
    $client = new Client(setting('BASE_URL', '{^https?://[!-~]+$}D'), setting('API_KEY', '/^[!-~]+$/D'));
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    if ($_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/buy') {
        header('Location: ' . buy($client), true, 303);
    } elseif ($path === '/return' || $path === '/left') {
        $orderId = is_string($_GET['order'] ?? null) ? $_GET['order'] : '';
        sendPage(handleReturn($client, $orderId, $path === '/left'));
    } else {
        sendPage(productPage());
    }
} catch (RuntimeException $error) {
    error_log($error->getMessage());
    http_response_code(502);
    sendPage('<h1>Please try again in a minute</h1>');
}
