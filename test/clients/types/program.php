<?php

// The program of a merchant. Each line with `@phpstan-ignore` must be an error of PHPStan.

declare(strict_types=1);

use CartCheckout\CartCheckoutError;
use CartCheckout\Client;
use CartCheckout\ClientInterface;

require __DIR__ . '/vendor/autoload.php';

/**
 * @phpstan-import-type NewCart from ClientInterface
 * @phpstan-import-type WebhookEvent from ClientInterface
 */
final class Shop
{
    public function __construct(private readonly ClientInterface $client)
    {
    }

    /** @param NewCart $cart */
    public function buy(array $cart): string
    {
        $checkout = $this->client->createCart($cart, idempotencyKey: 'order-1', timeoutSeconds: 5);
        $this->client->createCart(['email' => 'ada@example.com']); // @phpstan-ignore argument.type
        echo $checkout['cart']['meta']; // @phpstan-ignore offsetAccess.notFound
        $retrieved = $this->client->waitForStatus($checkout['cart']['id']);
        if ($retrieved['status'] === 'paid') { // @phpstan-ignore identical.alwaysFalse
            return '';
        }
        return $checkout['redirectUrl'] . ($retrieved['refunds'][0]['amount'] ?? '');
    }

    /** @param WebhookEvent $event */
    public function handle(array $event): string
    {
        if ($event['type'] === 'cart.refunded') {
            return $event['data']['refund']['id'];
        }
        if ($event['type'] === 'cart.completed') {
            echo $event['data']['refund']; // @phpstan-ignore offsetAccess.notFound
            return $event['data']['status'];
        }
        return $event['id'];
    }

    public function report(CartCheckoutError $error): string
    {
        return implode(array_map(fn (array $each): string => "{$each['path']}: {$each['message']}", $error->details));
    }
}

$shop = new Shop(new Client('https://api.example.com', 'cck_'));
echo $shop->report(new CartCheckoutError('X', 'Y', details: [['path' => 'email', 'message' => 'Wrong']])), "\n";
