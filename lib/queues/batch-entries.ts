/** The entries of one call of SQS, for messages that it sends, receives, deletes or makes visible. */
export const BATCH_ENTRIES_MAX = 10;
