<?php

// Receives webhooks, and stores each event once. Needs PHP 8.1 or later, and no packages:
//
//   WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:8080 webhooks.php
//
// It keeps the events in the folder `inbox` (INBOX). The same script without a web server handles them. Run it every minute:
//
//   php webhooks.php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const BODY_BYTES_MAX = 256 * 1024;

function setting(string $name, string $pattern, string $default = ''): string
{
    $value = getenv($name) === false ? $default : getenv($name);
    return preg_match($pattern, $value) ? $value : throw new RuntimeException("$name is missing or malformed.");
}

/** Whether the service signed the bytes of the body within the last five minutes (Standard Webhooks). */
function isSigned(string $id, string $timestamp, string $signatures, string $body): bool
{
    if (!preg_match('/^\d{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = base64_decode(substr(setting('WEBHOOK_SECRET', '{^whsec_[A-Za-z0-9+/]+=*$}D'), 6));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // There are two signatures while the secret changes.
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** Stores an event. A repetition changes nothing: the same id is the same file. */
function store(string $id, string $body): void
{
    if (!preg_match('/^[\w-]{1,100}$/D', $id)) {
        throw new RuntimeException('The id of the event is malformed.');
    }
    // In this order: the other run of this script moves a file from the first place to the second.
    if (file_exists(INBOX . "/$id.json") || file_exists(INBOX . "/done/$id.json")) {
        return;
    }
    // The new name appears only once the whole content is stored.
    $draft = INBOX . "/$id." . bin2hex(random_bytes(8));
    if (file_put_contents($draft, $body) !== strlen($body) || !rename($draft, INBOX . "/$id.json")) {
        throw new RuntimeException('The event cannot be stored.');
    }
}

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
    $header = fn (string $name): string => $_SERVER["HTTP_WEBHOOK_$name"] ?? '';
    if (!isSigned($header('ID'), $header('TIMESTAMP'), $header('SIGNATURE'), $body)) {
        return 400;
    }
    store($header('ID'), $body);
    return 204;
}

/** Handles the stored events. After a crash, one event may be handled again, so handling must be safe to repeat. */
function workOff(): void
{
    // Two runs at the same time would handle an event twice.
    $lock = fopen(INBOX . '/lock', 'c');
    if (!$lock || !flock($lock, LOCK_EX)) {
        throw new RuntimeException('The inbox cannot be locked.');
    }
    foreach (glob(INBOX . '/*.json') ?: [] as $path) {
        try {
            handle(json_decode((string) file_get_contents($path), true, 512, JSON_THROW_ON_ERROR));
            rename($path, INBOX . '/done/' . basename($path));
        } catch (Throwable $error) {
            // The event stays in the inbox, and blocks no other.
            error_log(basename($path) . ": {$error->getMessage()}");
        }
    }
}

/** Replace it with the work of your shop. Events arrive in any order: before you deliver, retrieve the cart. */
function handle(array $event): void
{
    // A test of the endpoint has no cart.
    if ($event['type'] !== 'webhook.ping') {
        echo "{$event['type']} {$event['data']['id']}\n";
    }
}

try {
    define('INBOX', setting('INBOX', '/^[^\0]+$/D', 'inbox'));
    if (!is_dir(INBOX . '/done') && !mkdir(INBOX . '/done', 0700, true)) {
        throw new RuntimeException('The folder of the inbox cannot be made.');
    }
    if (PHP_SAPI === 'cli') {
        workOff();
    } else {
        http_response_code(receive());
    }
} catch (RuntimeException $error) {
    // The event is not stored. The service sends it again.
    error_log($error->getMessage());
    PHP_SAPI === 'cli' ? exit(1) : http_response_code(500);
}
