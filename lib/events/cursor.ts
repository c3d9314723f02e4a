import { createHash } from 'node:crypto';
import type { StoreMode } from '../stores/mode.ts';
import { logKey } from './logged-event.ts';

/** A reader's position in a log. */
export interface Cursor {
  /** The number of the last event that the reader has seen. 0 before the first. */
  readonly sequence: number;
  /** The reader has seen every event that was recorded until then, or started after it. */
  readonly seenUntilMs: number;
}

/** Each part has 48 bits. Both hold milliseconds until the year 10889. */
const PART_BYTES = 6;

/** A checksum binds a cursor to its log, so that a cursor of another store or mode is rejected. It is not a signature. */
const checksum = (storeMode: StoreMode, parts: Buffer): Buffer =>
  createHash('sha256').update(parts).update(logKey(storeMode)).digest().subarray(0, PART_BYTES);

/** The text of a cursor: 24 characters of base64url. */
export const formatCursor = (storeMode: StoreMode, { sequence, seenUntilMs }: Cursor): string => {
  const parts = Buffer.alloc(2 * PART_BYTES);
  parts.writeUIntBE(sequence, 0, PART_BYTES);
  parts.writeUIntBE(seenUntilMs, PART_BYTES, PART_BYTES);
  return Buffer.concat([parts, checksum(storeMode, parts)]).toString('base64url');
};

/** The length of every cursor: base64url of 18 bytes. */
export const CURSOR_CHARACTERS = 24;

/** The form of every cursor. */
export const CURSOR_PATTERN = new RegExp(`^[\\w-]{${CURSOR_CHARACTERS}}$`);

/** Parses the text of {@link formatCursor}. `undefined` if it is not a cursor of this log. */
export const parseCursor = (storeMode: StoreMode, text: string): Cursor | undefined => {
  if (!CURSOR_PATTERN.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const parts = bytes.subarray(0, 2 * PART_BYTES);
  if (!checksum(storeMode, parts).equals(bytes.subarray(2 * PART_BYTES))) return undefined;
  return {
    sequence: parts.readUIntBE(0, PART_BYTES),
    seenUntilMs: parts.readUIntBE(PART_BYTES, PART_BYTES),
  };
};
