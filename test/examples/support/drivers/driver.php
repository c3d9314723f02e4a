<?php

// Calls the client for PHP: reads a call from each line, and writes its outcome as a line. See `clients.ts`.

declare(strict_types=1);

require __DIR__ . '/../../../../docs/clients/CartCheckout.php';

$now = 0.0;
$pauses = [];
$clients = [];

$clientOf = function (array $options) use (&$now, &$pauses, &$clients): CartCheckout {
    $sleep = function (float $seconds) use (&$now, &$pauses): void {
        $pauses[] = $seconds;
        $now += $seconds;
    };
    $tests = ['random' => fn (): float => 1.0, 'sleep' => $sleep, 'now' => function () use (&$now): float {
        return $now;
    }];
    return $clients[json_encode($options)] ??= new CartCheckout(...$options, ...$tests);
};

$perform = function (array $call) use ($clientOf): mixed {
    ['method' => $method, 'args' => $args, 'options' => $options] = $call;
    if (!isset($call['client'])) {
        return CartCheckout::$method(...$args, ...$options);
    }
    $client = $clientOf($call['client']);
    if ($method === 'dump') {
        ob_start();
        var_dump($client, (array) $client);
        var_export($client);
        echo $client, print_r($client, true), json_encode($client);
        return ob_get_clean();
    }
    $value = $client->$method(...$args, ...$options);
    return $value instanceof Generator ? iterator_to_array($value, false) : $value;
};

while (($line = fgets(STDIN)) !== false) {
    $pauses = [];
    try {
        $outcome = ['value' => $perform(json_decode($line, true, 512, JSON_THROW_ON_ERROR))];
    } catch (CartCheckoutError $error) {
        $fields = ['name' => $error::class, 'message' => $error->getMessage(), 'code' => $error->errorCode];
        $fields += ['status' => $error->status, 'details' => $error->details, 'requestId' => $error->requestId];
        $fields += ['retryAfterSeconds' => $error->retryAfterSeconds, 'retryable' => $error->retryable];
        $outcome = ['error' => $fields];
    } catch (Throwable $error) {
        $outcome = ['error' => ['name' => $error::class, 'message' => $error->getMessage()]];
    }
    echo json_encode($outcome + ['pauses' => $pauses], JSON_THROW_ON_ERROR), "\n";
}
