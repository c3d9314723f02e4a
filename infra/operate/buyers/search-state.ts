import { createHash, randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { DAY_MS } from '../../../lib/core/durations.ts';
import type { DeliveryKey } from '../../../lib/webhooks/delivery-eraser.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';
import type { ScanPosition } from '../scan.ts';

/** The keys of the items that a search has found. They hold no personal data. */
export interface Found {
  readonly carts: { readonly table: 'carts' | 'testCarts'; readonly id: string }[];
  readonly events: { readonly log: string; readonly sequence: number; readonly id: string }[];
  /** `hasText`: the record has the text of a response. */
  readonly deliveries: (DeliveryKey & { readonly hasText: boolean })[];
}

export interface SearchResult {
  readonly startedAtMs: number;
  readonly found: Found;
}

/** The state of a search, as JSON. */
export interface SearchState extends SearchResult {
  /** Where the scan of the tables continues. */
  readonly position: ScanPosition;
}

const hashOf = (salt: string, subject: readonly string[]): string =>
  createHash('sha256').update(salt).update(JSON.stringify(subject)).digest('base64url');

/**
 * The file of a search. Only its owner can read it. It names keys, and has a salted hash of the search, so that a search for
 * another buyer does not continue it.
 *
 * @param subject the stage, the store and the buyer of the search
 */
export const openSearchFile = (file: string, subject: readonly string[]) => ({
  /** The state of the same search, if one was interrupted in the last 24 hours. */
  read(nowMs: number): SearchState | undefined {
    // A file that cannot be read is ignored: a new search begins.
    const stored = (readPrivateFile(file) ?? {}) as Partial<SearchState & { salt: string; subject: string }>;
    const { salt, subject: hash, startedAtMs, position, found } = stored;
    if (salt === undefined || hash !== hashOf(salt, subject)) return undefined;
    if (startedAtMs === undefined || startedAtMs < nowMs - DAY_MS || !position || !found) return undefined;
    return { startedAtMs, position, found };
  },

  write(state: SearchState): void {
    const salt = randomBytes(16).toString('base64url');
    writePrivateFile(file, { salt, subject: hashOf(salt, subject), ...state });
  },

  remove: (): void => rmSync(file, { force: true }),
});
