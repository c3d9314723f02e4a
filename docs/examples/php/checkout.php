<?php

// Creates a cart, prints the payment address, and waits for the payment. Needs PHP 8.1 or later, and no packages:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... PRODUCT_ID=one-course php checkout.php
//
// It waits at most POLL_SECONDS (30). Exit codes: 0 paid, 1 error, 2 payment failed or cart abandoned, 3 unpaid.

declare(strict_types=1);

const STATUSES_TO_RETRY = [0, 408, 429, 500, 503, 504]; // 0 means no response.
const RETRIES_MAX = 5;
const RETRY_AFTER_SECONDS_MAX = 60;
const EXIT_CODES = ['completed' => 0, 'payment_failed' => 2, 'abandoned' => 2, 'waiting_payment' => 3];

function setting(string $name, string $pattern, string $default = ''): string
{
    $value = getenv($name) === false ? $default : getenv($name);
    return preg_match($pattern, $value) ? $value : throw new RuntimeException("$name is missing or malformed.");
}

/** Sends a request once: a POST if it has a body, else a GET. The status is 0 unless a complete JSON response arrives. */
function send(string $path, array $headers, ?string $body): array
{
    $stream = @fopen(BASE_URL . $path, 'r', false, stream_context_create(['http' => [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => [...$headers, 'Authorization: Bearer ' . API_KEY],
        'content' => $body ?? '',
        'timeout' => 10,
        'follow_location' => 0,
        'ignore_errors' => true, // Read the body of a 4xx or 5xx response too.
    ]]));
    $response = $stream ? json_decode((string) stream_get_contents($stream), true) : null;
    if (!is_array($response)) {
        // The request may have arrived. The Idempotency-Key makes the retry safe.
        return ['status' => 0, 'head' => '', 'body' => ['code' => 'No response', 'message' => BASE_URL]];
    }
    $head = implode("\n", stream_get_meta_data($stream)['wrapper_data']);
    return ['status' => (int) explode(' ', $head)[1], 'head' => $head, 'body' => $response];
}

/** Sends a request and retries it, up to RETRIES_MAX times. The request must be safe to repeat. */
function call(string $path, array $headers = [], ?string $body = null): array
{
    for ($retries = 0; ; $retries++) {
        ['status' => $status, 'head' => $head, 'body' => $response] = send($path, $headers, $body);
        if ($status === 200 || $status === 201) {
            return $response;
        }
        $header = fn ($name, $default) => preg_match("/^$name: *(\S+)/im", $head, $found) ? $found[1] : $default;
        $retryAfterSeconds = (int) $header('Retry-After', '0');
        $isOver = $retries === RETRIES_MAX || $retryAfterSeconds > RETRY_AFTER_SECONDS_MAX;
        if ($isOver || !in_array($status, STATUSES_TO_RETRY, true)) {
            $details = array_map(fn ($field) => "\n  {$field['path']}: {$field['message']}", $response['details'] ?? []);
            $failure = "{$response['code']}: {$response['message']} (request {$header('X-Request-Id', 'unknown')})";
            throw new RuntimeException($failure . implode($details));
        }
        // The random part spreads the retries of clients that failed at the same time.
        usleep((int) (1e6 * $retryAfterSeconds + random_int(0, 500_000) * 2 ** $retries));
    }
}

function createCart(string $idempotencyKey): array
{
    $buyer = ['email' => 'ada@example.com', 'firstName' => 'Ada', 'lastName' => 'Lovelace'];
    $body = json_encode(['productDocumentId' => PRODUCT_ID] + $buyer, JSON_THROW_ON_ERROR);
    $headers = ['Content-Type: application/json', "Idempotency-Key: $idempotencyKey"];
    return call('/api/v1/stores/cart/checkout', $headers, $body);
}

/** Retrieves the cart, at growing intervals, until its status changes or POLL_SECONDS are over. */
function waitForPayment(string $cartId): array
{
    $endsAt = microtime(true) + POLL_SECONDS;
    for ($pause = 1; ; $pause = min(2 * $pause, 8)) {
        $cart = call("/api/v1/stores/cart/$cartId");
        $left = $endsAt - microtime(true);
        if ($cart['status'] !== 'waiting_payment' || $left <= 0) {
            return $cart;
        }
        usleep((int) (1e6 * min($pause, $left)));
    }
}

try {
    define('BASE_URL', rtrim(setting('BASE_URL', '{^https?://[!-~]+$}D'), '/'));
    define('API_KEY', setting('API_KEY', '/^[!-~]+$/D'));
    define('PRODUCT_ID', setting('PRODUCT_ID', '/^[!-~]+$/D'));
    define('POLL_SECONDS', (int) setting('POLL_SECONDS', '/^\d+$/D', '30'));
    // One key per purchase attempt. A shop stores it with the order before the first request.
    ['cart' => $cart, 'redirectUrl' => $redirectUrl] = createCart(bin2hex(random_bytes(16)));
    echo "Redirect the buyer to $redirectUrl\n";
    $paid = waitForPayment($cart['id']);
    echo "Status {$paid['status']}", isset($paid['paymentId']) ? ", payment {$paid['paymentId']}" : '', "\n";
    exit(EXIT_CODES[$paid['status']]);
} catch (RuntimeException $error) {
    fwrite(STDERR, "{$error->getMessage()}\n");
    exit(1);
}
