import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DAY_MS } from '../../../lib/core/durations.ts';
import { LOCAL_FOLDER } from '../../local/stage-file.ts';
import { OperatorError } from '../../operator-error.ts';
import type { ScanPosition } from '../segmented-scan.ts';

/** The tables that a search reads, in its order. */
export const SEARCHED_TABLES = ['carts', 'testCarts', 'events', 'deliveries'] as const;

export type SearchedTable = (typeof SEARCHED_TABLES)[number];

/** The keys of the items that a search has found. They hold no personal data. */
export interface Found {
  readonly carts: readonly { readonly table: 'carts' | 'testCarts'; readonly id: string }[];
  readonly events: readonly { readonly log: string; readonly sequence: number; readonly id: string }[];
  /** `hasText`: the record has the text of a response. */
  readonly deliveries: readonly {
    readonly endpointId: string;
    readonly id: string;
    readonly hasText: boolean;
  }[];
}

/** The state of a search, as JSON. */
export interface SearchState {
  readonly startedAtMs: number;
  /** Absent for a table that the search has not begun to read. */
  readonly positions: Readonly<Partial<Record<SearchedTable, ScanPosition>>>;
  readonly found: Found;
}

/** The state of one search, in a file. */
export interface SearchFile {
  /** The state of the same search, if one was interrupted in the last 24 hours. */
  read(nowMs: number): SearchState | undefined;
  write(state: SearchState): void;
  remove(): void;
}

/** The default file of a stage. */
export const defaultSearchFile = (stageName: string): string =>
  join(LOCAL_FOLDER, 'buyers', `${stageName}.json`);

const hashOf = (salt: string, subject: readonly string[]): string =>
  createHash('sha256').update(salt).update(JSON.stringify(subject)).digest('base64url');

const parse = (file: string): Partial<SearchState & { salt: string; subject: string }> => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as object;
  } catch {
    // The file is missing or has another format. A new search begins.
    return {};
  }
};

/**
 * The file of a search. Only its owner can read it. It names keys, and has a salted hash of the search, so that a search for
 * another buyer does not continue it.
 *
 * @param subject the stage, the store and the buyer of the search
 */
export const openSearchFile = (file: string, subject: readonly string[]): SearchFile => ({
  read(nowMs) {
    const { salt, subject: stored, startedAtMs, positions, found } = parse(file);
    if (salt === undefined || stored !== hashOf(salt, subject)) return undefined;
    if (startedAtMs === undefined || startedAtMs < nowMs - DAY_MS || !positions || !found) return undefined;
    return { startedAtMs, positions, found };
  },

  write(state) {
    const salt = randomBytes(16).toString('base64url');
    const draft = `${file}.${process.pid}`;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ salt, subject: hashOf(salt, subject), ...state });
      writeFileSync(draft, `${text}\n`, { mode: 0o600 });
      renameSync(draft, file);
    } catch (error) {
      throw new OperatorError(
        `The file ${file} cannot be written: free its disk, or name another with --state-file.`,
        { cause: error },
      );
    }
  },

  remove: () => rmSync(file, { force: true }),
});
