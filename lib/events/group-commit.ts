import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { ContentionError, isUnavailable } from '../aws/errors.ts';
import { type BackOff, backOff } from '../core/retry.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import type { StoreMode } from '../stores/mode.ts';
import type { LoggedChange, TransactItem } from './event-transaction.ts';
import { type LoggedEvent, logKey } from './logged-event.ts';

/**
 * - `appended`: the change is stored, and its event is in the log.
 * - `rejected`: the condition of a write failed. Nothing of the change is stored. `reasons` has the reason of each write.
 */
export type AppendResult =
  | { readonly outcome: 'appended'; readonly event: LoggedEvent }
  | { readonly outcome: 'rejected'; readonly reasons: readonly CancellationReason[] };

/** Tries to store changes in one transaction. A change without a result needs a further attempt. */
export type SaveBatch = (
  storeMode: StoreMode,
  changes: readonly LoggedChange[],
) => Promise<ReadonlyMap<LoggedChange, AppendResult>>;

interface Waiting {
  readonly change: LoggedChange;
  readonly bytes: number;
  readonly signal: AbortSignal;
  readonly result: PromiseWithResolvers<AppendResult>;
  /** A transaction with this change and others failed, so the change gets one of its own. */
  isAlone: boolean;
  /** Other writers came first. */
  hasLost: boolean;
}

/** A transaction has at most 100 items. One is the counter of the log. */
const ITEMS_MAX = 99;

/** A transaction has at most 4 MB. */
const BYTES_MAX = 3_500_000;

/** JSON has no maps: `meta` would count as `{}`. */
const entriesOf = (_: string, value: unknown): unknown => (value instanceof Map ? [...value] : value);

/** An upper bound of the bytes that a change writes, with its event. */
const bytesOf = ({ event, writes }: LoggedChange): number =>
  Buffer.byteLength(JSON.stringify([writes, event.bodyAt(0)], entriesOf)) + 1_000;

/** The item that a write names. A transaction may name an item once. */
const itemOf = ({ Put, ...others }: TransactItem): string => {
  const { TableName, Key } = others.Update ?? others.Delete ?? others.ConditionCheck ?? {};
  return JSON.stringify([Put?.TableName ?? TableName, (Put?.Item ?? Key)?.['id']]);
};

/** Takes waiting changes that fit into one transaction out of a queue, the oldest first. */
const takeBatch = (queue: Waiting[]): readonly Waiting[] => {
  const batch: Waiting[] = [];
  const items = new Set<string>();
  let size = 0;
  let bytes = 0;
  const fits = ({ change, isAlone, ...next }: Waiting): boolean =>
    batch.length === 0 ||
    (!isAlone &&
      !batch[0]?.isAlone &&
      size + change.writes.length + 1 <= ITEMS_MAX &&
      bytes + next.bytes <= BYTES_MAX &&
      change.writes.every((write) => !items.has(itemOf(write))));
  const left = queue.filter((waiting) => {
    // The caller has given up.
    if (waiting.signal.aborted) return false;
    if (!fits(waiting)) return true;
    batch.push(waiting);
    for (const write of waiting.change.writes) items.add(itemOf(write));
    size += waiting.change.writes.length + 1;
    bytes += waiting.bytes;
    return false;
  });
  queue.splice(0, queue.length, ...left);
  return batch;
};

/** Tries to store a batch, and resolves the promises of its changes. Returns those that need a further attempt. */
const tryBatch = async (
  saveBatch: SaveBatch,
  storeMode: StoreMode,
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> => {
  try {
    const results = await saveBatch(
      storeMode,
      batch.map(({ change }) => change),
    );
    const left = batch.filter(({ change, result }) => {
      const outcome = results.get(change);
      if (outcome) result.resolve(outcome);
      return !outcome;
    });
    for (const waiting of left) waiting.hasLost = true;
    return left;
  } catch (error) {
    if (batch.length === 1 || isUnavailable(error)) {
      for (const { result } of batch) result.reject(error);
      return [];
    }
    // One invalid change must not fail the others.
    for (const waiting of batch) waiting.isAlone = true;
    return batch;
  }
};

/**
 * Stores the changes of each log one transaction at a time, each with all changes that wait. Numbers have no holes, so
 * concurrent transactions of one log would only conflict. A log takes about 60 transactions a second, and
 * with several processes about 200 payments (`docs/scale.md`).
 */
export const createGroupCommit = (saveBatch: SaveBatch, pauses: BackOff) => {
  const queues = new Map<string, Waiting[]>();

  const commitAll = async (storeMode: StoreMode, queue: Waiting[]): Promise<void> => {
    let failed = 0;
    for (let batch = takeBatch(queue); batch.length > 0; batch = takeBatch(queue)) {
      // oxlint-disable no-await-in-loop -- one transaction at a time
      const left = await tryBatch(saveBatch, storeMode, batch);
      queue.unshift(...left);
      failed = left.length < batch.length ? 0 : failed + 1;
      if (failed > 0) await backOff(failed, pauses);
      // oxlint-enable no-await-in-loop
    }
    queues.delete(logKey(storeMode));
  };

  /**
   * Stores a change.
   *
   * @throws the signal's reason when it aborts, or ContentionError if other writers came first until then. The change may be
   *   stored nevertheless
   */
  return async (storeMode: StoreMode, change: LoggedChange, signal: AbortSignal): Promise<AppendResult> => {
    const result = Promise.withResolvers<AppendResult>();
    const waiting = { change, bytes: bytesOf(change), signal, result, isAlone: false, hasLost: false };
    const queue = queues.get(logKey(storeMode));
    if (queue) {
      queue.push(waiting);
    } else {
      const started = [waiting];
      queues.set(logKey(storeMode), started);
      // Callers of this turn of the event loop share the first transaction.
      queueMicrotask(() => void commitAll(storeMode, started));
    }
    try {
      return await unlessAborted(result.promise, signal);
    } catch (error) {
      throw waiting.hasLost && signal.aborted ? new ContentionError() : error;
    }
  };
};
