// SPDX-License-Identifier: MIT-0
// The inbox of a shop: events wait in a folder until `worker.mjs` has handled them. A shop with a database uses a table with
// the event's id as its key.

import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setting } from './setting.mjs';

export const INBOX = setting('INBOX', /^[^\0]+$/, 'inbox');
export const DONE = join(INBOX, 'done');
// Events have buyers' data: only this user may read them.
mkdirSync(DONE, { recursive: true, mode: 0o700 });

/**
 * Stores an event. A repetition changes nothing: the same id is the same file.
 *
 * @param {string} id
 * @param {string | Uint8Array} body
 */
export function store(id, body) {
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error('The id of the event is malformed');
  const name = `${id}.json`;
  // In this order: the worker moves a file from the first place to the second.
  if ([INBOX, DONE].some((folder) => existsSync(join(folder, name)))) return;
  writeFile(join(INBOX, name), body);
}

/**
 * Writes a file. Its name appears only once the whole content is stored.
 *
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export function writeFile(path, content) {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { flush: true, mode: 0o600 });
  renameSync(draft, path);
}
