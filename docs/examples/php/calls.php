<?php

// SPDX-License-Identifier: MIT-0
// The calls of the guide, with the address and the key of the local stage. Needs PHP 8.2 or later, and the package
// cart-checkout/client:
//
//   php calls.php

declare(strict_types=1);

// #region create
use CartCheckout\Client;

require __DIR__ . '/vendor/autoload.php';

$client = new Client(
    baseUrl: 'http://127.0.0.1:3000',
    apiKey: 'cck_test_DemoStoreOneDemoStoreOneDemoStor1weCpw',
);
$checkout = $client->createCart(
    [
        'productDocumentId' => 'one-course',
        'email' => 'ada@example.com',
        'firstName' => 'Ada',
        'lastName' => 'Lovelace',
        'meta' => ['order' => '1001'],
    ],
    idempotencyKey: 'order-1001-attempt-1',
);
echo "{$checkout['cart']['id']} {$checkout['redirectUrl']}\n";
// #endregion

// #region retrieve
$cart = $client->retrieveCart($checkout['cart']['id']);
echo "{$cart['status']} {$cart['price']['amount']} {$cart['price']['currency']}\n";
// #endregion

// #region endpoint
$created = $client->createWebhookEndpoint(['url' => 'http://127.0.0.1:8080/hook']);
echo "{$created['webhookEndpoint']['id']} {$created['secret']}\n";
// #endregion

// #region feed
foreach ($client->eventPages() as $page) {
    foreach ($page['events'] as $event) {
        echo "{$event['type']} {$event['id']}\n";
    }
    echo "The next request begins after {$page['cursor']}\n";
}
// #endregion
