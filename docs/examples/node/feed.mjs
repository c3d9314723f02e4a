// Reads the events since the last run, and stores each one once for `worker.mjs`. Run it every few minutes. It needs Node.js
// 20 or later, and no packages:
//
//   BASE_URL=http://127.0.0.1:3000 API_KEY=cck_test_... node feed.mjs
//
// It keeps events and the cursor in the folder `inbox` (INBOX), as `webhooks.mjs` does. Exit codes: 0 all read, 1 error,
// 2 the cursor is too old, so events are lost.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INBOX, setting, store, writeFile } from './inbox.mjs';

const BASE_URL = setting('BASE_URL', /^https?:\/\/[!-~]+$/).replace(/\/$/, '');
const API_KEY = setting('API_KEY', /^[!-~]+$/);
const CURSOR_FILE = join(INBOX, 'cursor');

const STATUSES_TO_RETRY = new Set([429, 500, 503, 504]);
const RETRIES_MAX = 5;

/** Reads the page after a cursor. Without a cursor, it starts with the oldest event. */
async function readPage(cursor) {
  const query = new URLSearchParams({ limit: '100', ...(cursor && { after: cursor }) });
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(`${BASE_URL}/api/v1/stores/events?${query}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
      signal: AbortSignal.timeout(10_000),
    });
    const body = await response.json();
    if (response.ok) return body;
    if (!STATUSES_TO_RETRY.has(response.status) || retries === RETRIES_MAX) {
      console.error(`${body.code}: ${body.message}`);
      for (const { path, message } of body.details ?? []) console.error(`  ${path}: ${message}`);
      process.exit(response.status === 422 ? 2 : 1);
    }
    await sleep(1000 * (Number(response.headers.get('Retry-After')) + Math.random() * 0.5 * 2 ** retries));
  }
}

let cursor = existsSync(CURSOR_FILE) ? readFileSync(CURSOR_FILE, 'utf8') : undefined;
let hasMore = true;
while (hasMore) {
  const page = await readPage(cursor);
  for (const event of page.events) store(event.id, JSON.stringify(event));
  // After the events: if a crash comes first, the next run reads the page again, and the inbox ignores known events.
  writeFile(CURSOR_FILE, page.cursor);
  ({ cursor, hasMore } = page);
}
