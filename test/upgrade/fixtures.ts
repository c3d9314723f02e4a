import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A request that created a cart. */
export interface StoredRequest {
  readonly apiKey: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A cart, and the body of the response to its retrieval. */
export interface StoredCart {
  readonly name: string;
  readonly id: string;
  readonly apiKey: string;
  readonly responseText: string;
}

/** The content of a data file, at the time it was made. The keys open nothing but this file. */
export interface UpgradeFixture {
  readonly madeAtMs: number;
  readonly keys: {
    readonly working: readonly string[];
    /** Limit 10 in 30 days, with five tokens left. */
    readonly halfEmpty: string;
    readonly rejected: readonly string[];
    /** A rotated key, within its overlap of 24 h. */
    readonly endsWithinADay: string;
  };
  readonly carts: readonly StoredCart[];
  /** Requests with an `Idempotency-Key`, and the bodies of their responses. */
  readonly retries: readonly (StoredRequest & { readonly responseText: string })[];
}

/** The folders with a data file, one for each release. */
export const DATA_FOLDERS: readonly string[] = globSync('*/data.json', { cwd: import.meta.dirname }).map(
  dirname,
);

export const readFixture = (name: string): { fixture: UpgradeFixture; data: Buffer } => ({
  fixture: JSON.parse(readFileSync(join(import.meta.dirname, name, 'data.json'), 'utf8')) as UpgradeFixture,
  data: gunzipSync(readFileSync(join(import.meta.dirname, name, 'data.sqlite.gz'))),
});
