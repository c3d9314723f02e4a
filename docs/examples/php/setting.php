<?php

// SPDX-License-Identifier: MIT-0
declare(strict_types=1);

/** Reads an environment variable. */
function setting(string $name, string $pattern, string $default = ''): string
{
    $value = getenv($name) === false ? $default : getenv($name);
    return preg_match($pattern, $value) ? $value : throw new RuntimeException("$name is missing or malformed.");
}
