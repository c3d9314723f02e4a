/** The limits of one batch in SQS (SendMessageBatch) and EventBridge (PutEvents): entries, and bytes of all together. */
export const BATCH_ENTRIES_MAX = 10;
export const BATCH_BYTES_MAX = 256 * 1_024;

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
