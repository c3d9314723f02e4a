import { OutageError } from '../core/aws-errors.ts';
import { type Pauses, retryRest } from '../core/retry.ts';

/** The limits of one batch in SQS (SendMessageBatch) and EventBridge (PutEvents): entries, and bytes of all together. */
export const BATCH_ENTRIES_MAX = 10;
export const BATCH_BYTES_MAX = 256 * 1_024;

const RETRIES = { attemptsMax: 3, firstMs: 200, maxMs: 400 };

/** Splits entries into batches within the limits, in their order. An entry above the bytes of a batch has its own. */
export const inBatches = <Entry>(
  entries: readonly Entry[],
  bytesOf: (entry: Entry) => number,
): readonly (readonly Entry[])[] => {
  const batches: Entry[][] = [];
  let bytes = Infinity;
  for (const entry of entries) {
    const size = bytesOf(entry);
    const batch = batches.at(-1);
    if (batch && batch.length < BATCH_ENTRIES_MAX && bytes + size <= BATCH_BYTES_MAX) {
      batch.push(entry);
      bytes += size;
    } else {
      batches.push([entry]);
      bytes = size;
    }
  }
  return batches;
};

/**
 * Sends a batch in up to three attempts. Each attempt sends the entries that the one before left.
 *
 * @param send sends entries once. Returns those that the receiver did not confirm, and that a retry may send
 * @param receiver its name for the error
 * @throws OutageError if entries are left after the last attempt, or any error of `send`
 */
export const sendWhole = async <Entry>(
  batch: readonly Entry[],
  send: (entries: readonly Entry[]) => Promise<readonly Entry[]>,
  receiver: string,
  pauses?: Pauses,
): Promise<void> => {
  const left = await retryRest(batch, send, { ...RETRIES, pauses });
  if (left.length > 0) throw new OutageError(`${receiver} did not accept the whole batch`);
};
