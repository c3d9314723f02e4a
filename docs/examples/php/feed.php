<?php

// SPDX-License-Identifier: MIT-0
// Reads the events since the last run, and stores each one once for `worker.php`. Run it every few minutes. Needs PHP 8.2 or
// later, and the package cart-checkout/client:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... php feed.php
//
// It keeps events and the cursor in the folder `inbox` (INBOX), as `webhooks.php` does. Exit codes: 0 all read, 1 error,
// 2 the cursor is too old, so events are lost.

declare(strict_types=1);

use CartCheckout\CartCheckoutError;
use CartCheckout\Client;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/inbox.php';

try {
    $client = new Client(setting('BASE_URL', '{^https?://[!-~]+$}D'), setting('API_KEY', '/^[!-~]+$/D'));
    $cursorFile = inbox() . '/cursor';
    $after = file_exists($cursorFile) ? (string) file_get_contents($cursorFile) : null;
    foreach ($client->eventPages(after: $after) as $page) {
        foreach ($page['events'] as $event) {
            store($event['id'], json_encode($event, JSON_THROW_ON_ERROR));
        }
        // After the events: if a crash comes first, the next run reads the page again, and the inbox ignores known events.
        writeFile('cursor', $page['cursor']);
    }
} catch (RuntimeException $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit($error instanceof CartCheckoutError && $error->status === 422 ? 2 : 1);
}
