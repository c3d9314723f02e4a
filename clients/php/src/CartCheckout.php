<?php

// SPDX-License-Identifier: MIT-0
// A client of the Cart Checkout API for servers on PHP 8.2 or later with the extension curl. One file without dependencies.

declare(strict_types=1);

namespace CartCheckout;

/** A call that failed. Decide by `status` and `errorCode`. */
final class CartCheckoutError extends \RuntimeException
{
    /** Whether the same call can succeed later. A 2xx is an error only if its body is incomplete. */
    public readonly bool $retryable;

    /**
     * @param string $errorCode a code of the API, or `NO_RESPONSE` or `UNEXPECTED_RESPONSE`: no response arrived, or one that
     *   is not the API's
     * @param int $status the HTTP status, or 0 without a response
     * @param list<array{path: string, message: string}> $details the validation issues
     * @param ?string $requestId send it to us when you report a problem
     * @param ?string $helpUrl the address of a page about the error
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly int $status = 0,
        public readonly array $details = [],
        public readonly ?string $requestId = null,
        public readonly float $retryAfterSeconds = 0,
        public readonly ?string $helpUrl = null,
    ) {
        $issues = array_map(
            fn (array $each): string => '; ' . ($each['path'] === '' ? '' : "{$each['path']}: ") . $each['message'],
            $details,
        );
        $request = $requestId === null ? '' : " (request $requestId)";
        $help = $helpUrl === null ? '' : "; see $helpUrl";
        parent::__construct("$errorCode: $message" . implode($issues) . $request . $help, $status);
        $this->retryable = $status < 300 || $status === 408 || $status === 429 || $status >= 500;
    }
}

/** A webhook that the service did not sign within the last five minutes. Respond with 400 and the message, which has no secret. */
final class WebhookVerificationError extends \RuntimeException
{
}

/**
 * A client of one stage with one API key. Your code depends on this interface, and its tests on a double of it. Timestamps are
 * ISO 8601 in UTC. Amounts are in the main unit of their currency. `timeoutSeconds` is the longest time of one request of the
 * call.
 *
 * generated: types
 * @phpstan-type EventType 'cart.completed'|'cart.payment_failed'|'cart.abandoned'|'cart.duplicate_payment'|'cart.refunded'|'webhook_endpoint.created'|'webhook_endpoint.updated'|'webhook_endpoint.disabled'|'webhook_endpoint.deleted'|'webhook_endpoint.secret_rotated'
 * @phpstan-type NewCart array{productDocumentId: string, email: string, firstName: string, lastName: string,
 *   phone?: string|null, lang?: string|null, redirectURL?: string|null, cancelURL?: string|null, meta?: array<string,
 *   string>|null, expiresInMinutes?: int|null, customerPrice?: float|int|null}
 * @phpstan-type Checkout array{cart: CreatedCart, redirectUrl: string, idempotencyKey: string, replayed: bool}
 * @phpstan-type CreatedCart array{id: string, createdAt: string, updatedAt: string, status: CartStatus,
 *   customerInfo: CustomerInfo, productDocumentId: string, productName: string, price: Price, expiresAt: string}
 * @phpstan-type CartStatus 'waiting_payment'|'completed'|'abandoned'|'payment_failed'
 * @phpstan-type CustomerInfo array{firstName?: string, lastName?: string, email?: string, phone?: string,
 *   lang?: string}
 * @phpstan-type Price array{amount: float|int, currency: string}
 * @phpstan-type ErrorCode string
 * @phpstan-type Detail array{path: string, message: string}
 * @phpstan-type Cart array{id: string, createdAt: string, updatedAt: string, status: CartStatus,
 *   customerInfo: CustomerInfo, productDocumentId: string, productName: string, price: Price, expiresAt: string,
 *   paymentId?: string, meta: array<string, string>, latePayment?: true, completedAt?: string, failureReason?: string,
 *   refunds?: list<Refund>, refundedAmount?: float|int, redirectUrl?: string}
 * @phpstan-type Refund array{id: string, paymentId: string, amount: float|int, currency: string, refundedAt: string}
 * @phpstan-type EventPage array{events: list<FeedEvent>, cursor: string, hasMore: bool}
 * @phpstan-type CartCompletedEvent array{id: string, type: 'cart.completed', timestamp: string, data: Cart,
 *   test?: true}
 * @phpstan-type CartPaymentFailedEvent array{id: string, type: 'cart.payment_failed', timestamp: string, data: Cart,
 *   test?: true}
 * @phpstan-type CartAbandonedEvent array{id: string, type: 'cart.abandoned', timestamp: string, data: Cart,
 *   test?: true}
 * @phpstan-type CartDuplicatePaymentEvent array{id: string, type: 'cart.duplicate_payment', timestamp: string,
 *   data: DuplicatePaymentData, test?: true}
 * @phpstan-type DuplicatePaymentData array{id: string, createdAt: string, updatedAt: string, status: CartStatus,
 *   customerInfo: CustomerInfo, productDocumentId: string, productName: string, price: Price, expiresAt: string,
 *   paymentId?: string, meta: array<string, string>, latePayment?: true, completedAt?: string, failureReason?: string,
 *   refunds?: list<Refund>, refundedAmount?: float|int, redirectUrl?: string, duplicatePaymentId: string}
 * @phpstan-type CartRefundedEvent array{id: string, type: 'cart.refunded', timestamp: string, data: RefundedData,
 *   test?: true}
 * @phpstan-type RefundedData array{id: string, createdAt: string, updatedAt: string, status: CartStatus,
 *   customerInfo: CustomerInfo, productDocumentId: string, productName: string, price: Price, expiresAt: string,
 *   paymentId?: string, meta: array<string, string>, latePayment?: true, completedAt?: string, failureReason?: string,
 *   refunds?: list<Refund>, refundedAmount?: float|int, redirectUrl?: string, refund: Refund}
 * @phpstan-type WebhookEndpointCreatedEvent array{id: string, type: 'webhook_endpoint.created', timestamp: string,
 *   data: WebhookEndpointEventData, test?: true}
 * @phpstan-type WebhookEndpointEventData array{id: string, url: string, eventTypes?: list<string>, enabled: bool,
 *   disabledAt?: string, disabledReason?: string, createdAt: string, createdByKeyId?: string, changedByKeyId?: string}
 * @phpstan-type WebhookEndpointUpdatedEvent array{id: string, type: 'webhook_endpoint.updated', timestamp: string,
 *   data: WebhookEndpointEventData, test?: true}
 * @phpstan-type WebhookEndpointDisabledEvent array{id: string, type: 'webhook_endpoint.disabled', timestamp: string,
 *   data: WebhookEndpointEventData, test?: true}
 * @phpstan-type WebhookEndpointDeletedEvent array{id: string, type: 'webhook_endpoint.deleted', timestamp: string,
 *   data: WebhookEndpointEventData, test?: true}
 * @phpstan-type WebhookEndpointSecretRotatedEvent array{id: string, type: 'webhook_endpoint.secret_rotated',
 *   timestamp: string, data: WebhookEndpointEventData, test?: true}
 * @phpstan-type ProductList array{products: list<Product>, cursor?: string, hasMore: bool}
 * @phpstan-type Product array{id: string, name: string, available: bool, price?: Price, priceRange?: PriceRange}
 * @phpstan-type PriceRange array{minimum: float|int, maximum: float|int, suggested?: float|int, currency: string}
 * @phpstan-type NewWebhookEndpoint array{url: string, eventTypes?: list<EventType>|null}
 * @phpstan-type CreatedWebhookEndpoint array{webhookEndpoint: WebhookEndpointConfig, secret?: string,
 *   idempotencyKey: string, replayed: bool}
 * @phpstan-type WebhookEndpointConfig array{id: string, url: string, eventTypes?: list<string>, enabled: bool,
 *   disabledAt?: string, disabledReason?: string, createdAt: string, createdByKeyId?: string}
 * @phpstan-type WebhookEndpointList array{webhookEndpoints: list<WebhookEndpoint>}
 * @phpstan-type WebhookEndpoint array{id: string, url: string, eventTypes?: list<string>, enabled: bool,
 *   disabledAt?: string, disabledReason?: string, createdAt: string, createdByKeyId?: string, failingSince?: string,
 *   lastSuccessAt?: string}
 * @phpstan-type WebhookEndpointChanges array{url?: string|null, eventTypes?: list<EventType>|null, enabled?: bool|null}
 * @phpstan-type DeletedWebhookEndpoint array{id: string, deleted: true}
 * @phpstan-type RotatedWebhookSecret array{id: string, secret: string, previousSecretEndsAt: string}
 * @phpstan-type SentWebhookEvent array{deliveryId: string, eventId: string}
 * @phpstan-type WebhookDeliveryPage array{deliveries: list<WebhookDelivery>, cursor?: string, hasMore: bool}
 * @phpstan-type WebhookDelivery array{id: string, eventId: string, eventType: string, recordedAt: string,
 *   status: string, nextAttemptAt?: string, attempts: list<WebhookAttempt>}
 * @phpstan-type WebhookAttempt array{attempt: int, at: string, status?: int, error?: string, durationMs: int,
 *   response?: string}
 * @phpstan-type WebhookPingEvent array{id: string, type: 'webhook.ping', timestamp: string, data: array{}, test?: true}
 * @phpstan-type FeedEvent CartCompletedEvent|CartPaymentFailedEvent|CartAbandonedEvent|CartDuplicatePaymentEvent|CartRefundedEvent|WebhookEndpointCreatedEvent|WebhookEndpointUpdatedEvent|WebhookEndpointDisabledEvent|WebhookEndpointDeletedEvent|WebhookEndpointSecretRotatedEvent
 * @phpstan-type WebhookEvent FeedEvent|WebhookPingEvent
 * /generated
 */
interface ClientInterface
{
    /**
     * Creates a cart. All requests of the call have one `Idempotency-Key`, so they create one cart.
     *
     * @param NewCart $cart
     * @param ?string $idempotencyKey by default, a new key. Better store one with the order before the call, and pass it:
     *   you can then repeat the call after a crash
     * @return Checkout
     * @throws CartCheckoutError
     */
    public function createCart(
        array $cart,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): array;

    /**
     * @return Cart
     * @throws CartCheckoutError
     */
    public function retrieveCart(string $cartId, ?float $timeoutSeconds = null): array;

    /**
     * Ends a cart that waits for payment: it becomes `abandoned`.
     *
     * @return Cart
     * @throws CartCheckoutError `CART_COMPLETED` or `CART_PAYMENT_FAILED` if it has a payment
     */
    public function expireCart(string $cartId, ?float $timeoutSeconds = null): array;

    /**
     * Retrieves a cart at growing intervals, until it has one of the statuses or the deadline is over.
     *
     * @param ?list<CartStatus> $statuses by default, each status except `waiting_payment`
     * @param ?float $deadlineSeconds 30 by default
     * @return Cart the cart as last retrieved: check its status
     * @throws CartCheckoutError
     */
    public function waitForStatus(
        string $cartId,
        ?array $statuses = null,
        ?float $deadlineSeconds = null,
        ?float $timeoutSeconds = null,
    ): array;

    /**
     * Reads one page of the store's products, also those that are not available.
     *
     * @param ?string $after the cursor of the last page
     * @return ProductList
     * @throws CartCheckoutError
     */
    public function listProducts(?string $after = null, ?int $limit = null, ?float $timeoutSeconds = null): array;

    /**
     * Reads the store's products to the end, page by page.
     *
     * @return iterable<ProductList>
     * @throws CartCheckoutError
     */
    public function productPages(?string $after = null, ?int $limit = null, ?float $timeoutSeconds = null): iterable;

    /**
     * @return Product
     * @throws CartCheckoutError
     */
    public function retrieveProduct(string $productDocumentId, ?float $timeoutSeconds = null): array;

    /**
     * Reads one page of the feed: the events after a cursor, or the oldest ones. Check each event with `isKnownEvent`: later
     * versions of the API send events of other types.
     *
     * @return EventPage
     * @throws CartCheckoutError with the status 422, if the feed no longer keeps the events after the cursor
     */
    public function listEvents(?string $after = null, ?int $limit = null, ?float $timeoutSeconds = null): array;

    /**
     * Reads the feed to its end, page by page.
     *
     * @return iterable<EventPage>
     * @throws CartCheckoutError as `listEvents`
     */
    public function eventPages(?string $after = null, ?int $limit = null, ?float $timeoutSeconds = null): iterable;

    /**
     * Creates a webhook endpoint. All requests of the call have one `Idempotency-Key`, so they create one endpoint.
     *
     * @param NewWebhookEndpoint $endpoint
     * @param ?string $idempotencyKey as of `createCart`
     * @return CreatedWebhookEndpoint without `secret`, if an earlier request of the call already created it. If you lost the
     *   secret, rotate it
     * @throws CartCheckoutError
     */
    public function createWebhookEndpoint(
        array $endpoint,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): array;

    /**
     * Lists all endpoints of the key's store and mode, oldest first.
     *
     * @return WebhookEndpointList
     * @throws CartCheckoutError
     */
    public function listWebhookEndpoints(?float $timeoutSeconds = null): array;

    /**
     * @return WebhookEndpoint
     * @throws CartCheckoutError
     */
    public function retrieveWebhookEndpoint(string $endpointId, ?float $timeoutSeconds = null): array;

    /**
     * @param WebhookEndpointChanges $changes an absent field stays as it is
     * @return WebhookEndpoint
     * @throws CartCheckoutError
     */
    public function updateWebhookEndpoint(string $endpointId, array $changes, ?float $timeoutSeconds = null): array;

    /**
     * @return DeletedWebhookEndpoint
     * @throws CartCheckoutError `WEBHOOK_ENDPOINT_NOT_FOUND` also if an earlier request of the call deleted it
     */
    public function deleteWebhookEndpoint(string $endpointId, ?float $timeoutSeconds = null): array;

    /**
     * Replaces the secret of an endpoint. The client retries it only after a 429: a second rotation would end the secret that
     * your receiver has.
     *
     * @param ?int $overlapSeconds how long both secrets sign; a day by default
     * @return RotatedWebhookSecret
     * @throws CartCheckoutError
     */
    public function rotateWebhookSecret(
        string $endpointId,
        ?int $overlapSeconds = null,
        ?float $timeoutSeconds = null,
    ): array;

    /**
     * Sends a test event to an endpoint. Its result appears in the list of deliveries.
     *
     * @param ?string $eventType the type of the event, in test mode; a `webhook.ping` by default
     * @return SentWebhookEvent
     * @throws CartCheckoutError
     */
    public function testWebhookEndpoint(
        string $endpointId,
        ?string $eventType = null,
        ?float $timeoutSeconds = null,
    ): array;

    /**
     * Lists one page of the deliveries of an endpoint, the latest event first.
     *
     * @param ?string $after the cursor of the last page; without it, from the latest delivery on
     * @param ?string $before instead of `$after`: a time, such as the `recordedAt` of a delivery
     * @return WebhookDeliveryPage
     * @throws CartCheckoutError
     */
    public function listWebhookDeliveries(
        string $endpointId,
        ?string $after = null,
        ?string $before = null,
        ?int $limit = null,
        ?float $timeoutSeconds = null,
    ): array;

    /**
     * Reads all deliveries of an endpoint, page by page, the latest event first.
     *
     * @return iterable<WebhookDeliveryPage>
     * @throws CartCheckoutError
     */
    public function webhookDeliveryPages(
        string $endpointId,
        ?string $after = null,
        ?string $before = null,
        ?int $limit = null,
        ?float $timeoutSeconds = null,
    ): iterable;

    /**
     * Sends the event of a delivery again.
     *
     * @return SentWebhookEvent
     * @throws CartCheckoutError
     */
    public function resendWebhookDelivery(
        string $endpointId,
        string $deliveryId,
        ?float $timeoutSeconds = null,
    ): array;
}

/**
 * The client that sends requests.
 *
 * @phpstan-import-type Cart from ClientInterface
 * @phpstan-import-type CartStatus from ClientInterface
 * @phpstan-import-type Checkout from ClientInterface
 * @phpstan-import-type CreatedWebhookEndpoint from ClientInterface
 * @phpstan-import-type WebhookEvent from ClientInterface
 * @phpstan-type HttpResponse array{status: int, headers: array<string, string>, body: string}
 * @phpstan-type Transport callable(string, string, array<string, string>, ?string, float): HttpResponse
 * @phpstan-type Response array{status: int, headers: array<string, string>, body: mixed}
 */
final class Client implements ClientInterface
{
    public const VERSION = '1.0.0';

    /** The types of events that this version knows. Later versions of the API can add types. */
    // generated: eventTypes
    public const EVENT_TYPES = [
        'cart.completed',
        'cart.payment_failed',
        'cart.abandoned',
        'cart.duplicate_payment',
        'cart.refunded',
        'webhook_endpoint.created',
        'webhook_endpoint.updated',
        'webhook_endpoint.disabled',
        'webhook_endpoint.deleted',
        'webhook_endpoint.secret_rotated',
    ];
    // /generated

    private const WEBHOOK_TOLERANCE_SECONDS = 300;
    private const PRODUCTS_PATH = '/api/v1/stores/products';
    private const ENDPOINTS_PATH = '/api/v1/stores/webhook-endpoints';

    /** @var ?\WeakMap<self, string> the keys, apart from the clients: no dump of a client shows its key */
    private static ?\WeakMap $apiKeys = null;

    private readonly string $baseUrl;
    private readonly float $timeoutSeconds;
    private readonly int $retriesMax;
    private readonly float $deadlineSeconds;
    private readonly \Closure $transport;
    private readonly \Closure $random;
    private readonly \Closure $sleep;
    private readonly \Closure $now;

    /**
     * @param ?string $baseUrl the stage's address
     * @param ?string $apiKey
     * @param ?float $timeoutSeconds the longest time of one request; 10 by default
     * @param ?int $retriesMax 5 by default
     * @param ?float $deadlineSeconds no retry of a call begins later; 60 by default
     * @param ?callable $transport sends a request: its method, address, headers, body and time limit in seconds. It follows no
     *   redirects, and throws a `RuntimeException` if no response arrives
     * @phpstan-param ?Transport $transport
     * @param ?callable(): float $random from 0 to 1; this and the next two are for tests
     * @param ?callable(float): mixed $sleep takes seconds
     * @param ?callable(): float $now in seconds; it never runs backwards
     * @throws \InvalidArgumentException if the address or the key is missing or malformed
     */
    public function __construct(
        string|false|null $baseUrl,
        #[\SensitiveParameter] string|false|null $apiKey,
        ?float $timeoutSeconds = null,
        ?int $retriesMax = null,
        ?float $deadlineSeconds = null,
        ?callable $transport = null,
        ?callable $random = null,
        ?callable $sleep = null,
        ?callable $now = null,
    ) {
        $this->baseUrl = (string) preg_replace('{/$}', '', self::setting('baseUrl', $baseUrl));
        if (!preg_match('{^https?://[^\s@]+$}D', $this->baseUrl)) {
            $message = 'baseUrl is malformed: pass an address such as https://api.example.com';
            throw new \InvalidArgumentException($message);
        }
        $key = self::setting('apiKey', $apiKey);
        if (str_starts_with($key, 'whsec_')) {
            throw new \InvalidArgumentException('apiKey is the secret of a webhook endpoint: pass cck_...');
        }
        if (!preg_match('/^[!-~]+$/D', $key)) {
            throw new \InvalidArgumentException('apiKey is malformed');
        }
        self::$apiKeys ??= new \WeakMap();
        self::$apiKeys[$this] = $key;
        $this->timeoutSeconds = self::number('timeoutSeconds', $timeoutSeconds, 10);
        $this->retriesMax = (int) self::number('retriesMax', $retriesMax, 5);
        $this->deadlineSeconds = self::number('deadlineSeconds', $deadlineSeconds, 60);
        $this->transport = \Closure::fromCallable($transport ?? self::sendByCurl(...));
        $this->random = \Closure::fromCallable($random ?? fn (): float => random_int(0, 1_000_000) / 1e6);
        $this->sleep = \Closure::fromCallable($sleep ?? fn (float $seconds) => usleep((int) (1e6 * $seconds)));
        $this->now = \Closure::fromCallable($now ?? fn (): float => hrtime(true) / 1e9);
    }

    public function createCart(
        array $cart,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): array {
        $body = self::json('cart', $cart);
        $path = '/api/v1/stores/cart/checkout';
        /** @var Checkout */
        return $this->create($path, 'redirectUrl', $body, $idempotencyKey, $timeoutSeconds);
    }

    public function retrieveCart(string $cartId, ?float $timeoutSeconds = null): array
    {
        return $this->retrieve($cartId, $timeoutSeconds)['body'];
    }

    public function expireCart(string $cartId, ?float $timeoutSeconds = null): array
    {
        return $this->call('POST', self::pathOf($cartId) . '/expire', 'id', $timeoutSeconds)['body'];
    }

    public function waitForStatus(
        string $cartId,
        ?array $statuses = null,
        ?float $deadlineSeconds = null,
        ?float $timeoutSeconds = null,
    ): array {
        $statuses ??= ['completed', 'payment_failed', 'abandoned'];
        $endsAt = ($this->now)() + self::number('deadlineSeconds', $deadlineSeconds, 30);
        $latest = null;
        for ($pauseSeconds = 1; ; $pauseSeconds = min(2 * $pauseSeconds, 8)) {
            try {
                $latest = $this->retrieve($cartId, $timeoutSeconds, $latest, $endsAt);
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

    public function listProducts(?string $after = null, ?int $limit = null, ?float $timeoutSeconds = null): array
    {
        $path = self::PRODUCTS_PATH . self::query(['after' => $after, 'limit' => $limit]);
        return $this->call('GET', $path, 'products', $timeoutSeconds)['body'];
    }

    public function productPages(
        ?string $after = null,
        ?int $limit = null,
        ?float $timeoutSeconds = null,
    ): \Generator {
        do {
            $page = $this->listProducts($after, $limit, $timeoutSeconds);
            yield $page;
            $after = $page['cursor'] ?? null;
        } while ($page['hasMore']);
    }

    public function retrieveProduct(string $productDocumentId, ?float $timeoutSeconds = null): array
    {
        $path = self::PRODUCTS_PATH . self::segmentOf('productDocumentId', $productDocumentId);
        return $this->call('GET', $path, 'id', $timeoutSeconds)['body'];
    }

    public function listEvents(?string $after = null, ?int $limit = null, ?float $timeoutSeconds = null): array
    {
        $path = '/api/v1/stores/events' . self::query(['after' => $after, 'limit' => $limit]);
        return $this->call('GET', $path, 'events', $timeoutSeconds)['body'];
    }

    public function eventPages(
        ?string $after = null,
        ?int $limit = null,
        ?float $timeoutSeconds = null,
    ): \Generator {
        do {
            $page = $this->listEvents($after, $limit, $timeoutSeconds);
            yield $page;
            $after = $page['cursor'];
        } while ($page['hasMore']);
    }

    public function createWebhookEndpoint(
        array $endpoint,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): array {
        $body = self::json('endpoint', $endpoint);
        /** @var CreatedWebhookEndpoint */
        return $this->create(self::ENDPOINTS_PATH, 'webhookEndpoint', $body, $idempotencyKey, $timeoutSeconds);
    }

    public function listWebhookEndpoints(?float $timeoutSeconds = null): array
    {
        return $this->call('GET', self::ENDPOINTS_PATH, 'webhookEndpoints', $timeoutSeconds)['body'];
    }

    public function retrieveWebhookEndpoint(string $endpointId, ?float $timeoutSeconds = null): array
    {
        return $this->call('GET', self::endpointPathOf($endpointId), 'id', $timeoutSeconds)['body'];
    }

    public function updateWebhookEndpoint(string $endpointId, array $changes, ?float $timeoutSeconds = null): array
    {
        $body = self::json('changes', $changes);
        return $this->call('PATCH', self::endpointPathOf($endpointId), 'id', $timeoutSeconds, $body)['body'];
    }

    public function deleteWebhookEndpoint(string $endpointId, ?float $timeoutSeconds = null): array
    {
        return $this->call('DELETE', self::endpointPathOf($endpointId), 'deleted', $timeoutSeconds)['body'];
    }

    public function rotateWebhookSecret(
        string $endpointId,
        ?int $overlapSeconds = null,
        ?float $timeoutSeconds = null,
    ): array {
        $body = self::json('options', $overlapSeconds === null ? [] : ['overlapSeconds' => $overlapSeconds]);
        $path = self::endpointPathOf($endpointId) . '/rotate-secret';
        return $this->call('POST', $path, 'secret', $timeoutSeconds, $body, isRepeatable: false)['body'];
    }

    public function testWebhookEndpoint(
        string $endpointId,
        ?string $eventType = null,
        ?float $timeoutSeconds = null,
    ): array {
        $path = self::endpointPathOf($endpointId) . '/test' . self::query(['eventType' => $eventType]);
        return $this->call('POST', $path, 'deliveryId', $timeoutSeconds)['body'];
    }

    public function listWebhookDeliveries(
        string $endpointId,
        ?string $after = null,
        ?string $before = null,
        ?int $limit = null,
        ?float $timeoutSeconds = null,
    ): array {
        $path = self::endpointPathOf($endpointId) . '/deliveries';
        $query = self::query(['after' => $after, 'before' => $before, 'limit' => $limit]);
        return $this->call('GET', $path . $query, 'deliveries', $timeoutSeconds)['body'];
    }

    public function webhookDeliveryPages(
        string $endpointId,
        ?string $after = null,
        ?string $before = null,
        ?int $limit = null,
        ?float $timeoutSeconds = null,
    ): \Generator {
        do {
            $page = $this->listWebhookDeliveries($endpointId, $after, $before, $limit, $timeoutSeconds);
            yield $page;
            $after = $page['cursor'] ?? null;
            $before = null;
        } while ($page['hasMore'] && $after !== null);
    }

    public function resendWebhookDelivery(
        string $endpointId,
        string $deliveryId,
        ?float $timeoutSeconds = null,
    ): array {
        $path = self::endpointPathOf($endpointId) . '/deliveries' . self::segmentOf('deliveryId', $deliveryId);
        return $this->call('POST', "$path/resend", 'deliveryId', $timeoutSeconds)['body'];
    }

    /**
     * Whether this version knows the type of an event. Ignore the events of other types: later versions of the API send them.
     *
     * @param array{type: string, ...} $event
     * @phpstan-assert-if-true WebhookEvent $event
     */
    public static function isKnownEvent(array $event): bool
    {
        return $event['type'] === 'webhook.ping' || in_array($event['type'], self::EVENT_TYPES, true);
    }

    /**
     * Verifies a webhook (Standard Webhooks). Check the event with `isKnownEvent`: later versions of the API send events of
     * other types.
     *
     * @param string|list<string> $secret `whsec_...`, or several during a rotation
     * @param array<string, string|list<string>> $headers by name, as from `getallheaders()` or PSR-7, or `$_SERVER`
     * @param string $rawBody the body as it arrived, not parsed and serialised again
     * @param ?float $nowSeconds the Unix time, for tests
     * @return WebhookEvent
     * @throws WebhookVerificationError if the service did not sign it within five minutes
     * @throws \InvalidArgumentException if the secret is missing or malformed, or the body is parsed
     */
    public static function verifyWebhook(
        #[\SensitiveParameter] string|array|false|null $secret,
        array $headers,
        mixed $rawBody,
        ?float $nowSeconds = null,
    ): array {
        $keys = array_map(self::signingKeyOf(...), is_array($secret) ? $secret ?: [null] : [$secret]);
        if (!is_string($rawBody)) {
            throw new \InvalidArgumentException(
                'rawBody is ' . self::kindOf($rawBody) . ': pass the bytes as they arrived, not parsed. They are '
                    . "`file_get_contents('php://input')`; `\$request->getContent()` in Symfony and Laravel; "
                    . '`(string) $request->getBody()` in PSR-7',
            );
        }
        $given = [];
        foreach ($headers as $name => $value) {
            $name = strtr(strtolower((string) $name), '_', '-');
            $text = is_array($value) ? implode(' ', $value) : $value;
            $given[preg_replace('/^http-/', '', $name)] = is_scalar($text) ? (string) $text : '';
        }
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (($given[$name] ?? '') === '') {
                throw new WebhookVerificationError("There is no header $name");
            }
        }
        $timestamp = $given['webhook-timestamp'];
        if (!preg_match('/^\d{1,12}$/D', $timestamp)) {
            throw new WebhookVerificationError('webhook-timestamp is no Unix time');
        }
        $ageSeconds = (int) round(($nowSeconds ?? microtime(true)) - (int) $timestamp);
        if (abs($ageSeconds) > self::WEBHOOK_TOLERANCE_SECONDS) {
            $side = $ageSeconds > 0 ? 'behind' : 'ahead of';
            throw new WebhookVerificationError(
                'webhook-timestamp is ' . abs($ageSeconds) . " s $side this clock, which is more than "
                    . self::WEBHOOK_TOLERANCE_SECONDS . ' s',
            );
        }
        foreach ($keys as $key) {
            $hmac = hash_hmac('sha256', "{$given['webhook-id']}.$timestamp.$rawBody", $key, true);
            foreach (explode(' ', $given['webhook-signature']) as $signature) {
                if (hash_equals('v1,' . base64_encode($hmac), $signature)) {
                    return json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
                }
            }
        }
        throw new WebhookVerificationError(
            'No signature is valid for this secret and body: is it the secret of another endpoint, or was the body parsed '
                . 'and serialised again? SHA-256 of the body: ' . hash('sha256', $rawBody),
        );
    }

    public function __toString(): string
    {
        return "CartCheckout($this->baseUrl)";
    }

    /** Names the kind of a value without the value, which may be a secret. */
    private static function kindOf(mixed $value): string
    {
        return match (true) {
            $value === null => 'null',
            is_array($value) => 'an array',
            is_object($value) => 'an object of the class ' . $value::class,
            default => 'a ' . get_debug_type($value),
        };
    }

    /** @throws \InvalidArgumentException without the value, which may be a secret */
    private static function text(string $name, #[\SensitiveParameter] mixed $value): string
    {
        // `getenv` returns false for a variable that does not exist.
        if ($value === null || $value === false || $value === '') {
            throw new \InvalidArgumentException("$name is missing");
        }
        if (!is_string($value)) {
            throw new \InvalidArgumentException("$name is " . self::kindOf($value) . ', not a string');
        }
        if ($value !== trim($value)) {
            throw new \InvalidArgumentException("$name begins or ends with white space");
        }
        return $value;
    }

    /** A text of a setting, such as an environment variable. */
    private static function setting(string $name, #[\SensitiveParameter] mixed $value): string
    {
        $text = self::text($name, $value);
        if (preg_match('/^["\'].*["\']$/Ds', $text)) {
            throw new \InvalidArgumentException("$name is in quotes");
        }
        return $text;
    }

    private static function number(string $name, float|int|null $value, float $default): float
    {
        if ($value !== null && !($value >= 0)) {
            throw new \InvalidArgumentException("$name is $value, not a number of at least 0");
        }
        return $value ?? $default;
    }

    /**
     * Rejects what JSON cannot have, or would change to `{}` unnoticed.
     *
     * @throws \InvalidArgumentException
     */
    private static function checkJson(string $path, mixed $value): void
    {
        if (is_float($value) && !is_finite($value)) {
            throw new \InvalidArgumentException("$path is $value");
        }
        if (is_string($value) && !preg_match('//u', $value)) {
            throw new \InvalidArgumentException("$path is not UTF-8");
        }
        $fields = is_object($value) ? get_object_vars($value) : $value;
        $isPlain = $value instanceof \stdClass || $value instanceof \JsonSerializable || $value instanceof \BackedEnum;
        if (is_resource($value) || (is_object($value) && !$isPlain && $fields === [])) {
            throw new \InvalidArgumentException("$path is " . self::kindOf($value) . ': pass an array');
        }
        foreach (is_array($fields) ? $fields : [] as $name => $each) {
            self::checkJson("$path.$name", $each);
        }
    }

    /** @param array<mixed> $content */
    private static function json(string $name, array $content): string
    {
        if ($content !== [] && array_is_list($content)) {
            throw new \InvalidArgumentException("$name is a list, not an array of fields");
        }
        self::checkJson($name, $content);
        // Without the cast, an empty array would be a list.
        return json_encode((object) $content, JSON_THROW_ON_ERROR);
    }

    /** The value of a text of JSON, or null. */
    private static function parseJson(string $text): mixed
    {
        $value = json_decode($text, true, 512, JSON_INVALID_UTF8_SUBSTITUTE);
        if (json_last_error() !== JSON_ERROR_UTF16) {
            return $value;
        }
        // Half a pair of surrogates, of a text that something cut. The whole pairs and other escapes stay.
        $pattern = '/\\\\(?:u[dD][89abAB]..\\\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)/s';
        $mended = preg_replace_callback($pattern, fn ($found) => isset($found[1]) ? '\ufffd' : $found[0], $text);
        return json_decode((string) $mended, true, 512, JSON_INVALID_UTF8_SUBSTITUTE);
    }

    /** @param array<string, string|int|null> $parameters those that are null are left out */
    private static function query(array $parameters): string
    {
        foreach ($parameters as $name => $value) {
            if ($value === '') {
                throw new \InvalidArgumentException("$name is empty");
            }
        }
        // The default separator comes from the setting `arg_separator.output`.
        return '?' . http_build_query($parameters, '', '&', PHP_QUERY_RFC3986);
    }

    private static function signingKeyOf(#[\SensitiveParameter] mixed $secret): string
    {
        $text = self::setting('secret', $secret);
        if (str_starts_with($text, 'cck_')) {
            $message = 'secret is an API key: pass the secret of the endpoint, whsec_...';
            throw new \InvalidArgumentException($message);
        }
        // No number of bytes has a length with the remainder 1.
        if (!preg_match('{^(?:whsec_)?([A-Za-z0-9+/]{32,})={0,2}$}D', $text, $found) || strlen($found[1]) % 4 === 1) {
            throw new \InvalidArgumentException('secret is malformed');
        }
        return base64_decode($found[1]);
    }

    private static function segmentOf(string $name, string $id): string
    {
        if (preg_match('/^\.{1,2}$/D', self::text($name, $id))) {
            throw new \InvalidArgumentException("$name is malformed");
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
     * @param array<string, string> $headers
     * @return array<string, mixed>
     */
    private function create(
        string $path,
        string $member,
        string $body,
        ?string $idempotencyKey,
        ?float $timeoutSeconds,
    ): array {
        // HTTP strips white space at the ends of a header.
        $key = self::text('idempotencyKey', $idempotencyKey ?? bin2hex(random_bytes(16)));
        if (!preg_match('/^[ -~]{1,255}$/D', $key)) {
            $message = 'idempotencyKey is malformed: 1 to 255 printable ASCII characters';
            throw new \InvalidArgumentException($message);
        }
        $headers = ['Idempotency-Key' => $key];
        $response = $this->call('POST', $path, $member, $timeoutSeconds, $body, $headers);
        $replayed = ($response['headers']['idempotent-replayed'] ?? '') === 'true';
        return [...$response['body'], 'idempotencyKey' => $key, 'replayed' => $replayed];
    }

    /**
     * Retrieves a cart. If it has not changed since `latest`, the response has no body.
     *
     * @param ?Response $latest
     * @return Response
     */
    private function retrieve(
        string $cartId,
        ?float $timeoutSeconds,
        ?array $latest = null,
        ?float $endsAt = null,
    ): array {
        $etag = $latest['headers']['etag'] ?? null;
        $headers = $etag === null ? [] : ['If-None-Match' => $etag];
        $path = self::pathOf($cartId);
        $response = $this->call('GET', $path, 'id', $timeoutSeconds, null, $headers, $endsAt);
        return $latest !== null && $response['status'] === 304 ? $latest : $response;
    }

    /**
     * Sends a request until it succeeds, cannot succeed, or its retries or its time are used up.
     *
     * @param string $member a member of a complete response
     * @param ?string $body JSON
     * @param array<string, string> $headers
     * @param bool $isRepeatable whether a retry is safe after each error. Otherwise it is safe only after a 429
     * @return Response
     */
    private function call(
        string $method,
        string $path,
        string $member,
        ?float $timeoutSeconds,
        ?string $body = null,
        array $headers = [],
        ?float $endsAt = null,
        bool $isRepeatable = true,
    ): array {
        $limitSeconds = self::number('timeoutSeconds', $timeoutSeconds, $this->timeoutSeconds);
        $endsAt ??= ($this->now)() + $this->deadlineSeconds;
        for ($retries = 0; ; $retries++) {
            try {
                return $this->send($method, $path, $headers, $body, $member, $limitSeconds);
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
     * @param array<string, string> $headers
     * @return Response
     * @throws CartCheckoutError unless a response with `$member` reports success
     */
    private function send(
        string $method,
        string $path,
        array $headers,
        ?string $body,
        string $member,
        float $limitSeconds,
    ): array {
        $sent = $headers + ($body === null ? [] : ['Content-Type' => 'application/json']) + [
            'Authorization' => 'Bearer ' . (self::$apiKeys[$this] ?? ''),
            'User-Agent' => 'cart-checkout-php/' . self::VERSION,
        ];
        try {
            $response = ($this->transport)($method, $this->baseUrl . $path, $sent, $body, $limitSeconds);
        } catch (\RuntimeException $error) {
            // The request may have arrived. `call` knows whether a retry is safe.
            $reason = $error->getMessage();
            $hint = preg_match('/wrong.version|record layer/i', $reason) ? '. Does this address use http?' : '';
            throw new CartCheckoutError('NO_RESPONSE', "$this->baseUrl: $reason$hint");
        }
        $status = $response['status'];
        $received = array_change_key_case($response['headers']);
        $content = self::parseJson($response['body']);
        $isUnchanged = $status === 304 && isset($headers['If-None-Match']);
        $isSuccess = $status >= 200 && $status < 300 && is_array($content) && array_key_exists($member, $content);
        if ($isUnchanged || $isSuccess) {
            return ['status' => $status, 'headers' => $received, 'body' => $content];
        }
        throw $this->errorOf($status, $received, $content);
    }

    /**
     * The default transport.
     *
     * @param array<string, string> $headers
     * @return HttpResponse
     */
    private static function sendByCurl(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers,
        ?string $body,
        float $limitSeconds,
    ): array {
        $received = [];
        $lines = array_map(fn ($name, $value): string => "$name: $value", array_keys($headers), $headers);
        // A new connection: curl would send a POST again at once if a kept one breaks.
        $curl = curl_init();
        curl_setopt_array($curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            // An empty `Expect` makes curl send a large body at once.
            CURLOPT_HTTPHEADER => [...$lines, 'Expect:'],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) min(1000 * $limitSeconds, 2 ** 31 - 1),
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
        if (!is_string($text)) {
            throw new \RuntimeException(curl_error($curl));
        }
        return ['status' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE), 'headers' => $received, 'body' => $text];
    }

    /**
     * The seconds of `Retry-After`: a number, or a date by the clock of the response.
     *
     * @param array<string, string> $headers
     */
    private static function retryAfter(array $headers): float
    {
        $text = $headers['retry-after'] ?? '';
        if (preg_match('/^\d{1,9}(\.\d{1,9})?$/D', $text)) {
            return (float) $text;
        }
        $date = str_ends_with($text, 'GMT') ? strtotime($text) : false;
        $now = strtotime($headers['date'] ?? '') ?: time();
        return $date === false ? 0 : max(0, $date - $now);
    }

    /** @param array<string, string> $headers */
    private function errorOf(int $status, array $headers, mixed $body): CartCheckoutError
    {
        preg_match('/<([^<>]+)>\s*;\s*rel="?help"?/', $headers['link'] ?? '', $link);
        $failure = [
            'status' => $status,
            'requestId' => $headers['x-request-id'] ?? null,
            'retryAfterSeconds' => self::retryAfter($headers),
            'helpUrl' => $link[1] ?? null,
        ];
        $code = is_array($body) ? $body['code'] ?? null : null;
        $message = is_array($body) ? $body['message'] ?? null : null;
        if ($status < 300 || !is_string($code) || !is_string($message)) {
            $message = "The $status of $this->baseUrl is not a response of the API";
            return new CartCheckoutError('UNEXPECTED_RESPONSE', $message, ...$failure);
        }
        $details = [];
        foreach (is_array($body['details'] ?? null) ? $body['details'] : [] as $each) {
            if (is_array($each) && is_string($each['path'] ?? null) && is_string($each['message'] ?? null)) {
                $details[] = ['path' => $each['path'], 'message' => $each['message']];
            }
        }
        return new CartCheckoutError($code, $message, ...$failure, details: $details);
    }
}
