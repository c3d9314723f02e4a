<?php

// SPDX-License-Identifier: MIT-0
// The inbox of a shop: events wait in a folder until `worker.php` has handled them. A shop with a database uses a table with
// the event's id as its key.

declare(strict_types=1);

require_once __DIR__ . '/setting.php';

/** The folder of the inbox. */
function inbox(): string
{
    $inbox = setting('INBOX', '/^[^\0]+$/D', 'inbox');
    if (!is_dir("$inbox/done") && !@mkdir("$inbox/done", 0700, true) && !is_dir("$inbox/done")) {
        throw new RuntimeException('The folder of the inbox cannot be made.');
    }
    return $inbox;
}

/** Stores an event. A repetition changes nothing: the same id is the same file. */
function store(string $id, string $body): void
{
    if (!preg_match('/^[\w-]{1,100}$/D', $id)) {
        throw new RuntimeException('The id of the event is malformed.');
    }
    // In this order: the worker moves a file from the first place to the second.
    if (!file_exists(inbox() . "/$id.json") && !file_exists(inbox() . "/done/$id.json")) {
        writeFile("$id.json", $body);
    }
}

/** Writes a file of the inbox, which has buyers' data. Its name appears only once the whole content is stored. */
function writeFile(string $name, string $content): void
{
    $draft = inbox() . "/$name." . bin2hex(random_bytes(8));
    $mask = umask(0077);
    $written = file_put_contents($draft, $content);
    umask($mask);
    if ($written !== strlen($content) || !rename($draft, inbox() . "/$name")) {
        throw new RuntimeException("$name cannot be stored.");
    }
}
