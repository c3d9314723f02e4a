<?php

// A client of the Cart Checkout API for servers on PHP 8.1 or later with the extension curl. It needs no packages: copy this
// file into your project. The README beside it describes the methods and options.

declare(strict_types=1);

/** A call that failed. Decide by `status` and `errorCode`. */
final class CartCheckoutError extends RuntimeException
{
    /** Whether the same call can succeed later. A 2xx is an error only if its body is incomplete. */
    public readonly bool $retryable;

    /**
     * @param string $errorCode a code of the API, or `NO_RESPONSE` or `UNEXPECTED_RESPONSE`: no response arrived, or one that
     *   is not the API's
     * @param int $status the HTTP status, or 0 without a response
     * @param list<array{path: string, message: string}> $details the validation issues
     * @param ?string $requestId send it to us when you report a problem
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly int $status = 0,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly float $retryAfterSeconds = 0,
    ) {
        $issues = array_map(fn (array $detail): string => "; {$detail['path']}: {$detail['message']}", $details);
        $request = $requestId === null ? '' : " (request $requestId)";
        parent::__construct("$errorCode: $message$request" . implode($issues), $status);
        $this->retryable = $status < 300 || $status === 408 || $status === 429 || $status >= 500;
    }
}

/** A webhook that the service did not sign within the last five minutes. Respond with 400. */
final class WebhookVerificationError extends RuntimeException
{
}

/**
 * A client of one stage with one API key. Timestamps are ISO 8601 in UTC. Amounts are in the main unit of their currency.
 *
 * @phpstan-type Status 'waiting_payment'|'payment_failed'|'abandoned'|'completed'
 * @phpstan-type Price array{amount: float|int, currency: string}
 * @phpstan-type CustomerInfo array{firstName?: string, lastName?: string, email?: string, phone?: string, lang?: string}
 * @phpstan-type Refund array{id: string, paymentId: string, amount: float|int, currency: string, refundedAt: string}
 * generated: carts
 * @phpstan-type CreatedCart array{id: string, createdAt: string, updatedAt: string, status: Status,
 *   customerInfo: CustomerInfo, productDocumentId: string, productName: string, price: Price}
 * @phpstan-type Cart array{id: string, createdAt: string, updatedAt: string, status: Status,
 *   customerInfo: CustomerInfo, productDocumentId: string, productName: string, price: Price, paymentId?: string,
 *   meta: array<string, string>, expiresAt: string, latePayment?: true, completedAt?: string, failureReason?: string,
 *   refunds?: list<Refund>, refundedAmount?: float|int, redirectUrl?: string, duplicatePaymentId?: string,
 *   refund?: Refund}
 * @phpstan-type NewCart array{productDocumentId: string, email: string, firstName: string, lastName: string,
 *   phone?: ?string, redirectURL?: ?string, meta?: ?array<string, string>, expiresInMinutes?: ?int,
 *   customerPrice?: float|int|null}
 * /generated
 * @phpstan-type Checkout array{cart: CreatedCart, redirectUrl: string, idempotencyKey: string, replayed: bool}
 * @phpstan-type EndpointConfig array{id: string, url: string, eventTypes?: list<string>, enabled: bool, disabledAt?: string,
 *   disabledReason?: string, createdAt: string, createdByKeyId?: string, changedByKeyId?: string}
 * @phpstan-type Endpoint array{id: string, url: string, eventTypes?: list<string>, enabled: bool, disabledAt?: string,
 *   disabledReason?: string, createdAt: string, createdByKeyId?: string, failingSince?: string, lastSuccessAt?: string}
 * @phpstan-type NewEndpoint array{url: string, eventTypes?: ?list<string>}
 * @phpstan-type EndpointChanges array{url?: string, eventTypes?: ?list<string>, enabled?: bool}
 * @phpstan-type CreatedEndpoint array{webhookEndpoint: EndpointConfig, secret?: string, idempotencyKey: string, replayed: bool}
 * @phpstan-type Attempt array{attempt: int, at: string, status?: int, error?: string, durationMs: int, response?: string}
 * @phpstan-type Delivery array{id: string, eventId: string, eventType: string, recordedAt: string, status: string,
 *   nextAttemptAt?: string, attempts: list<Attempt>}
 * @phpstan-type SentEvent array{deliveryId: string, eventId: string}
 * @phpstan-type Event array{id: string, type: string, timestamp: string, data: Cart|EndpointConfig|array{}}
 * @phpstan-type EventPage array{events: list<Event>, cursor: string, hasMore: bool}
 * @phpstan-type Response array{status: int, headers: array<string, string>, body: mixed}
 */
final class CartCheckout
{
    private const WEBHOOK_TOLERANCE_SECONDS = 300;
    private const ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

    /** @var ?WeakMap<self, string> the keys, apart from the clients: no dump of a client shows its key */
    private static ?WeakMap $apiKeys = null;

    private readonly string $baseUrl;
    private readonly Closure $random;
    private readonly Closure $sleep;
    private readonly Closure $now;

    /**
     * @param string $baseUrl the stage's address
     * @param float $timeoutSeconds the longest time of one request
     * @param float $deadlineSeconds no retry of a call begins later
     * @param ?callable(): float $random from 0 to 1; this and the next two are for tests
     * @param ?callable(float): mixed $sleep takes seconds
     * @param ?callable(): float $now in seconds; it never runs backwards
     * @throws InvalidArgumentException if the address or the key is malformed
     */
    public function __construct(
        string $baseUrl,
        #[SensitiveParameter] string $apiKey,
        private readonly float $timeoutSeconds = 10,
        private readonly int $retriesMax = 5,
        private readonly float $deadlineSeconds = 60,
        ?callable $random = null,
        ?callable $sleep = null,
        ?callable $now = null,
    ) {
        if (!preg_match('{^https?://[^\s@]+$}D', $baseUrl)) {
            throw new InvalidArgumentException('baseUrl is missing or malformed');
        }
        if (!preg_match('/^[!-~]+$/D', $apiKey)) {
            throw new InvalidArgumentException('apiKey is missing or malformed');
        }
        $this->baseUrl = preg_replace('{/$}', '', $baseUrl);
        self::$apiKeys ??= new WeakMap();
        self::$apiKeys[$this] = $apiKey;
        $this->random = Closure::fromCallable($random ?? fn (): float => random_int(0, 1_000_000) / 1e6);
        $this->sleep = Closure::fromCallable($sleep ?? fn (float $seconds) => usleep((int) (1e6 * $seconds)));
        $this->now = Closure::fromCallable($now ?? fn (): float => hrtime(true) / 1e9);
    }

    /**
     * Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart.
     *
     * @param NewCart $cart
     * @param ?string $idempotencyKey by default, a new key. Better store one with the order before the call, and pass it:
     *   you can then repeat the call after a crash
     * @return Checkout
     * @throws CartCheckoutError
     */
    public function createCart(array $cart, ?string $idempotencyKey = null): array
    {
        return $this->create('/api/v1/stores/cart/checkout', 'redirectUrl', $cart, $idempotencyKey);
    }

    /**
     * @return Cart
     * @throws CartCheckoutError
     */
    public function retrieveCart(string $cartId): array
    {
        return $this->retrieve($cartId)['body'];
    }

    /**
     * Ends a cart that waits for payment: it becomes `abandoned`.
     *
     * @return Cart
     * @throws CartCheckoutError `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
     */
    public function expireCart(string $cartId): array
    {
        return $this->call('POST', self::pathOf($cartId) . '/expire', 'id')['body'];
    }

    /**
     * Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.
     *
     * @param list<Status> $statuses
     * @return Cart the cart as last retrieved: check its status
     * @throws CartCheckoutError
     */
    public function waitForStatus(
        string $cartId,
        array $statuses = ['completed', 'payment_failed', 'abandoned'],
        float $deadlineSeconds = 30,
    ): array {
        $endsAt = ($this->now)() + $deadlineSeconds;
        $latest = null;
        for ($pauseSeconds = 1; ; $pauseSeconds = min(2 * $pauseSeconds, 8)) {
            try {
                $latest = $this->retrieve($cartId, $latest, $endsAt);
            } catch (CartCheckoutError $error) {
                if ($latest === null || !$error->retryable) {
                    throw $error;
                }
            }
            $leftSeconds = $endsAt - ($this->now)();
            if ($leftSeconds <= 0 || in_array($latest['body']['status'], $statuses, true)) {
                return $latest['body'];
            }
            ($this->sleep)(min($pauseSeconds, $leftSeconds));
        }
    }

    /**
     * Reads one page of the feed: the events after a cursor, or the oldest ones.
     *
     * @return EventPage
     * @throws CartCheckoutError with the status 422, if the feed no longer keeps the events after the cursor
     */
    public function listEvents(?string $after = null, ?int $limit = null): array
    {
        $query = http_build_query(['after' => $after, 'limit' => $limit]);
        return $this->call('GET', "/api/v1/stores/events?$query", 'events')['body'];
    }

    /**
     * Reads the feed to its end, page by page.
     *
     * @return Generator<int, EventPage>
     * @throws CartCheckoutError as `listEvents`
     */
    public function eventPages(?string $after = null, ?int $limit = null): Generator
    {
        do {
            $page = $this->listEvents($after, $limit);
            yield $page;
            $after = $page['cursor'];
        } while ($page['hasMore']);
    }

    /**
     * Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.
     *
     * @param NewEndpoint $endpoint `eventTypes`: null is all types
     * @param ?string $idempotencyKey as of `createCart`
     * @return CreatedEndpoint without `secret`, if an earlier request of the call already created it. If you lost the secret,
     *   rotate it
     * @throws CartCheckoutError
     */
    public function createWebhookEndpoint(array $endpoint, ?string $idempotencyKey = null): array
    {
        return $this->create(self::ENDPOINTS_PATH, 'webhookEndpoint', $endpoint, $idempotencyKey);
    }

    /**
     * Lists all endpoints of the key's store and mode, oldest first.
     *
     * @return array{webhookEndpoints: list<Endpoint>}
     * @throws CartCheckoutError
     */
    public function listWebhookEndpoints(): array
    {
        return $this->call('GET', self::ENDPOINTS_PATH, 'webhookEndpoints')['body'];
    }

    /**
     * @return Endpoint
     * @throws CartCheckoutError
     */
    public function retrieveWebhookEndpoint(string $endpointId): array
    {
        return $this->call('GET', self::endpointPathOf($endpointId), 'id')['body'];
    }

    /**
     * @param EndpointChanges $changes an absent field stays as it is
     * @return Endpoint
     * @throws CartCheckoutError
     */
    public function updateWebhookEndpoint(string $endpointId, array $changes): array
    {
        return $this->call('PATCH', self::endpointPathOf($endpointId), 'id', $changes)['body'];
    }

    /**
     * @return array{id: string, deleted: true}
     * @throws CartCheckoutError `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
     */
    public function deleteWebhookEndpoint(string $endpointId): array
    {
        return $this->call('DELETE', self::endpointPathOf($endpointId), 'deleted')['body'];
    }

    /**
     * Replaces the secret of an endpoint. The client retries it only after a 429: a second rotation would end the secret that
     * your receiver has.
     *
     * @param ?int $overlapSeconds how long both secrets sign; a day by default
     * @return array{id: string, secret: string, previousSecretEndsAt: string}
     * @throws CartCheckoutError
     */
    public function rotateWebhookSecret(string $endpointId, ?int $overlapSeconds = null): array
    {
        $content = $overlapSeconds === null ? [] : ['overlapSeconds' => $overlapSeconds];
        $path = self::endpointPathOf($endpointId) . '/rotate-secret';
        return $this->call('POST', $path, 'secret', $content, isRepeatable: false)['body'];
    }

    /**
     * Sends a test event to an endpoint. Its result appears in the list of deliveries.
     *
     * @return SentEvent
     * @throws CartCheckoutError
     */
    public function testWebhookEndpoint(string $endpointId): array
    {
        return $this->call('POST', self::endpointPathOf($endpointId) . '/test', 'deliveryId')['body'];
    }

    /**
     * Lists the deliveries of an endpoint, the latest event first.
     *
     * @param ?string $before the `recordedAt` of the last delivery of a page
     * @return array{deliveries: list<Delivery>, hasMore: bool}
     * @throws CartCheckoutError
     */
    public function listWebhookDeliveries(string $endpointId, ?string $before = null, ?int $limit = null): array
    {
        $query = http_build_query(['before' => $before, 'limit' => $limit]);
        return $this->call('GET', self::endpointPathOf($endpointId) . "/deliveries?$query", 'deliveries')['body'];
    }

    /**
     * Sends the event of a delivery again.
     *
     * @return SentEvent
     * @throws CartCheckoutError
     */
    public function resendWebhookDelivery(string $endpointId, string $deliveryId): array
    {
        $path = self::endpointPathOf($endpointId) . '/deliveries' . self::segmentOf('deliveryId', $deliveryId);
        return $this->call('POST', "$path/resend", 'deliveryId')['body'];
    }

    /**
     * Verifies a webhook (Standard Webhooks).
     *
     * @param string|list<string> $secret `whsec_...`, or several during a rotation
     * @param array<string, string|list<string>> $headers by name, as from `getallheaders()` or PSR-7, or `$_SERVER`
     * @param string $rawBody the body as it arrived, not parsed and serialised again
     * @param ?float $nowSeconds the Unix time, for tests
     * @return Event
     * @throws WebhookVerificationError
     */
    public static function verifyWebhook(
        #[SensitiveParameter] string|array $secret,
        array $headers,
        string $rawBody,
        ?float $nowSeconds = null,
    ): array {
        $given = [];
        foreach ($headers as $name => $value) {
            $name = strtr(strtolower((string) $name), '_', '-');
            $given[preg_replace('/^http-/', '', $name)] = is_array($value) ? implode(' ', $value) : (string) $value;
        }
        $timestamp = $given['webhook-timestamp'] ?? '';
        $isRecent = preg_match('/^\d{1,12}$/D', $timestamp)
            && abs(($nowSeconds ?? microtime(true)) - (int) $timestamp) <= self::WEBHOOK_TOLERANCE_SECONDS;
        if (!$isRecent) {
            throw new WebhookVerificationError('webhook-timestamp is not within five minutes of this clock');
        }
        $signed = ($given['webhook-id'] ?? '') . ".$timestamp.$rawBody";
        foreach ((array) $secret as $each) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, self::signingKeyOf($each), true));
            foreach (explode(' ', $given['webhook-signature'] ?? '') as $signature) {
                if (hash_equals($expected, $signature)) {
                    return json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
                }
            }
        }
        throw new WebhookVerificationError('No signature is valid for this secret and body');
    }

    public function __toString(): string
    {
        return "CartCheckout($this->baseUrl)";
    }

    private static function signingKeyOf(#[SensitiveParameter] string $secret): string
    {
        if (!preg_match('{^(?:whsec_)?([A-Za-z0-9+/]{32,}=*)$}D', $secret, $found)) {
            throw new InvalidArgumentException('secret is missing or malformed');
        }
        return base64_decode($found[1]);
    }

    private static function segmentOf(string $name, string $id): string
    {
        if ($id === '') {
            throw new InvalidArgumentException("$name is missing or malformed");
        }
        return '/' . rawurlencode($id);
    }

    private static function pathOf(string $cartId): string
    {
        return '/api/v1/stores/cart' . self::segmentOf('cartId', $cartId);
    }

    private static function endpointPathOf(string $endpointId): string
    {
        return self::ENDPOINTS_PATH . self::segmentOf('endpointId', $endpointId);
    }

    /**
     * Sends a creation. All its requests have one `Idempotency-Key`.
     *
     * @param string $member a member of a complete response
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    private function create(string $path, string $member, array $fields, ?string $idempotencyKey): array
    {
        $idempotencyKey ??= bin2hex(random_bytes(16));
        if (!preg_match('/^[ -~]{1,255}$/D', $idempotencyKey)) {
            throw new InvalidArgumentException('idempotencyKey is malformed');
        }
        $response = $this->call('POST', $path, $member, $fields, ["Idempotency-Key: $idempotencyKey"]);
        $replayed = ($response['headers']['idempotent-replayed'] ?? '') === 'true';
        return [...$response['body'], 'idempotencyKey' => $idempotencyKey, 'replayed' => $replayed];
    }

    /**
     * Retrieves a cart. If it has not changed since `latest`, the response has no body.
     *
     * @param ?Response $latest
     * @return Response
     */
    private function retrieve(string $cartId, ?array $latest = null, ?float $endsAt = null): array
    {
        $etag = $latest['headers']['etag'] ?? null;
        $headers = $etag === null ? [] : ["If-None-Match: $etag"];
        $response = $this->call('GET', self::pathOf($cartId), 'id', null, $headers, $endsAt);
        return $latest !== null && $response['status'] === 304 ? $latest : $response;
    }

    /**
     * Sends a request until it succeeds, cannot succeed, or its retries or its time are used up.
     *
     * @param string $member a member of a complete response
     * @param ?array<string, mixed> $content the body, as an object of JSON
     * @param list<string> $headers
     * @param bool $isRepeatable whether a retry is safe after each error. Otherwise it is safe only after a 429
     * @return Response
     */
    private function call(
        string $method,
        string $path,
        string $member,
        ?array $content = null,
        array $headers = [],
        ?float $endsAt = null,
        bool $isRepeatable = true,
    ): array {
        $endsAt ??= ($this->now)() + $this->deadlineSeconds;
        // Without the cast, an empty array would be a list.
        $body = $content === null ? null : json_encode((object) $content, JSON_THROW_ON_ERROR);
        $headers = $content === null ? $headers : ['Content-Type: application/json', ...$headers];
        for ($retries = 0; ; $retries++) {
            try {
                return $this->send($method, $path, $headers, $body, $member);
            } catch (CartCheckoutError $error) {
                // The random part spreads the retries of clients that failed at the same time.
                $pauseSeconds = $error->retryAfterSeconds + ($this->random)() * 0.5 * 2 ** $retries;
                $isOver = $retries >= $this->retriesMax || ($this->now)() + $pauseSeconds > $endsAt;
                $isSafe = $isRepeatable || $error->status === 429;
                if ($isOver || !$isSafe || !$error->retryable) {
                    throw $error;
                }
                ($this->sleep)($pauseSeconds);
            }
        }
    }

    /**
     * Sends a request once.
     *
     * @param list<string> $headers
     * @return Response
     * @throws CartCheckoutError unless a response with `$member` reports success
     */
    private function send(string $method, string $path, array $headers, ?string $body, string $member): array
    {
        $received = [];
        $authorization = 'Authorization: Bearer ' . self::$apiKeys[$this];
        // A new connection: curl would send a POST again at once if a kept one breaks.
        $curl = curl_init();
        curl_setopt_array($curl, [
            CURLOPT_URL => $this->baseUrl . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            // An empty `Expect` makes curl send a large body at once.
            CURLOPT_HTTPHEADER => [...$headers, $authorization, 'User-Agent: cart-checkout-php/1.0.0', 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) (1000 * $this->timeoutSeconds),
            CURLOPT_HEADERFUNCTION => function ($curl, string $line) use (&$received): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $received[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null || $method === 'POST') {
            // An empty body has a length. Some proxies reject a POST without one.
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body ?? '');
        }
        $text = curl_exec($curl);
        if ($text === false) {
            // The request may have arrived. `call` knows whether a retry is safe.
            throw new CartCheckoutError('NO_RESPONSE', curl_error($curl));
        }
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $content = json_decode($text, true);
        $isUnchanged = $status === 304 && str_starts_with($headers[0] ?? '', 'If-None-Match:');
        if ($isUnchanged || ($status < 300 && is_array($content) && array_key_exists($member, $content))) {
            return ['status' => $status, 'headers' => $received, 'body' => $content];
        }
        throw self::errorOf($status, $received, $content);
    }

    /** @param array<string, string> $headers */
    private static function errorOf(int $status, array $headers, mixed $body): CartCheckoutError
    {
        $requestId = $headers['x-request-id'] ?? null;
        $retryAfterSeconds = max(0, (float) ($headers['retry-after'] ?? 0));
        if ($status < 300 || !is_string($body['code'] ?? null) || !is_string($body['message'] ?? null)) {
            $message = "The $status is not a response of the API";
            return new CartCheckoutError('UNEXPECTED_RESPONSE', $message, $status, [], $requestId, $retryAfterSeconds);
        }
        $details = is_array($body['details'] ?? null) ? $body['details'] : [];
        return new CartCheckoutError($body['code'], $body['message'], $status, $details, $requestId, $retryAfterSeconds);
    }
}
