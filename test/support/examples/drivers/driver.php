<?php

// Calls the client for PHP: reads a call from each line, and writes its outcome as a line. See `clients.ts`.

declare(strict_types=1);

use CartCheckout\CartCheckoutError;
use CartCheckout\Client;

require getenv('AUTOLOAD');

function nameOf(Throwable $error): string
{
    return basename(strtr($error::class, '\\', '/'));
}

$now = 0.0;
$pauses = [];
$clients = [];

/** Puts the values in place that JSON does not have. See `clients.ts`. */
function revive(mixed $value): mixed
{
    $special = ['nan' => NAN, 'infinity' => INF, 'map' => new WeakMap()];
    if (is_array($value) && isset($value['$special'])) {
        return $special[$value['$special']];
    }
    return is_array($value) ? array_map(revive(...), $value) : $value;
}

function ownTransport(string $kind): Closure
{
    return function (string $method, string $url, array $headers) use ($kind): array {
        if ($kind === 'failing') {
            throw new RuntimeException('The test has no response');
        }
        $body = ['id' => '1', 'method' => $method, 'url' => $url, 'agent' => $headers['User-Agent']];
        return ['status' => 200, 'headers' => [], 'body' => json_encode($body)];
    };
}

$clientOf = function (array $options) use (&$now, &$pauses, &$clients): Client {
    $sleep = function (float $seconds) use (&$now, &$pauses): void {
        $pauses[] = $seconds;
        $now += $seconds;
    };
    $tests = ['random' => fn (): float => 1.0, 'sleep' => $sleep, 'now' => function () use (&$now): float {
        return $now;
    }];
    $key = serialize($options);
    if (isset($options['transport'])) {
        $options['transport'] = ownTransport($options['transport']);
    }
    return $clients[$key] ??= new Client(...$options, ...$tests);
};

$perform = function (array $call) use ($clientOf): mixed {
    ['method' => $method, 'args' => $args, 'options' => $options] = $call;
    if (!isset($call['client'])) {
        return Client::$method(...$args, ...$options);
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
        $outcome = ['value' => $perform(revive(json_decode($line, true, 512, JSON_THROW_ON_ERROR)))];
    } catch (CartCheckoutError $error) {
        $fields = ['name' => nameOf($error), 'message' => $error->getMessage(), 'code' => $error->errorCode];
        $fields += ['status' => $error->status, 'details' => $error->details, 'requestId' => $error->requestId];
        $fields += ['retryAfterSeconds' => $error->retryAfterSeconds, 'retryable' => $error->retryable];
        $fields += ['helpUrl' => $error->helpUrl];
        $outcome = ['error' => $fields];
    } catch (Throwable $error) {
        $outcome = ['error' => ['name' => nameOf($error), 'message' => $error->getMessage()]];
    }
    echo json_encode($outcome + ['pauses' => $pauses], JSON_THROW_ON_ERROR), "\n";
}
