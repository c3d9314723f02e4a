<?php

// SPDX-License-Identifier: MIT-0
// Receives webhooks, and stores each event once for `worker.php`. Needs PHP 8.2 or later,
// and the package cart-checkout/client:
//
//   WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:8080 webhooks.php
//
// It keeps the events in the folder `inbox` (INBOX). In production, put a server with https in front of it.

declare(strict_types=1);

use CartCheckout\Client;
use CartCheckout\WebhookVerificationError;

require __DIR__ . '/vendor/autoload.php';
require __DIR__ . '/inbox.php';

const BODY_BYTES_MAX = 256 * 1024;

/**
 * Stores the event of a request. Returns the status and the text of the response.
 *
 * @return array{int, string}
 */
function receive(): array
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST' || $_SERVER['REQUEST_URI'] !== '/hook') {
        return [404, ''];
    }
    // #region verify
    // The bytes as they arrived, not parsed and serialised again.
    $body = (string) file_get_contents('php://input', false, null, 0, BODY_BYTES_MAX + 1);
    if (strlen($body) > BODY_BYTES_MAX) {
        return [413, ''];
    }
    $secret = setting('WEBHOOK_SECRET', '{^whsec_[A-Za-z0-9+/]+=*$}D');
    try {
        $event = Client::verifyWebhook($secret, getallheaders(), $body);
    } catch (WebhookVerificationError $error) {
        error_log("Rejected: {$error->getMessage()}");
        // The list of deliveries shows this text.
        return [400, $error->getMessage()];
    }
    // #endregion
    store($event['id'], $body);
    error_log("Received {$event['type']} {$event['id']}");
    return [204, ''];
}

try {
    // At once: the service waits 10 seconds for the response. The worker does the rest.
    [$status, $text] = receive();
    http_response_code($status);
    header('Content-Type: text/plain');
    echo $text;
} catch (RuntimeException $error) {
    // The event is not stored. The service sends it again.
    error_log($error->getMessage());
    http_response_code(500);
}
