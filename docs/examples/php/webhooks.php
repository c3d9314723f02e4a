<?php

// Receives webhooks, and stores each event once for `worker.php`. Needs PHP 8.1 or later with the extension curl:
//
//   WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:8080 webhooks.php
//
// It keeps the events in the folder `inbox` (INBOX). In production, put a server with https in front of it.

declare(strict_types=1);

require __DIR__ . '/../../clients/CartCheckout.php';
require __DIR__ . '/inbox.php';

const BODY_BYTES_MAX = 256 * 1024;

/** Stores the event of a request. Returns the status of the response. */
function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST' || $_SERVER['REQUEST_URI'] !== '/hook') {
        return 404;
    }
    // The bytes as they arrived, not parsed and serialised again.
    $body = (string) file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        return 413;
    }
    $secret = setting('WEBHOOK_SECRET', '{^whsec_[A-Za-z0-9+/]+=*$}D');
    try {
        $event = CartCheckout::verifyWebhook($secret, getallheaders(), $body);
    } catch (WebhookVerificationError) {
        return 400;
    }
    store($event['id'], $body);
    return 204;
}

try {
    // At once: the service waits 10 seconds for the response. The worker does the rest.
    http_response_code(receive());
} catch (RuntimeException $error) {
    // The event is not stored. The service sends it again.
    error_log($error->getMessage());
    http_response_code(500);
}
