<?php

// SPDX-License-Identifier: MIT-0
// Handles the events in the inbox, then ends. Run it every minute. Needs PHP 8.2 or later:
//
//   php worker.php

declare(strict_types=1);

require __DIR__ . '/inbox.php';

/** Replace the body with the work of your shop. Events arrive in any order: before you deliver, retrieve the cart. */
function handle(array $event): void
{
    // Skip tests and changes of endpoints: they have no cart of yours.
    if (str_starts_with($event['type'], 'cart.') && !isset($event['test'])) {
        echo "{$event['type']} {$event['data']['id']}\n";
    }
}

// Two runs at the same time would handle an event twice.
$lock = fopen(inbox() . '/lock', 'c');
if (!$lock || !flock($lock, LOCK_EX)) {
    throw new RuntimeException('The inbox cannot be locked.');
}
foreach (glob(inbox() . '/*.json') ?: [] as $path) {
    try {
        handle(json_decode((string) file_get_contents($path), true, 512, JSON_THROW_ON_ERROR));
        // After a crash before this line, the event is handled again, so handling must be safe to repeat.
        rename($path, inbox() . '/done/' . basename($path));
    } catch (Throwable $error) {
        // The event stays in the inbox, and blocks no other.
        error_log(basename($path) . ": {$error->getMessage()}");
    }
}
