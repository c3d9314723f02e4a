import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { queryPages } from '../../lib/core/dynamodb-pages.ts';
import type { Clock } from '../../lib/core/clock.ts';
import type { Documents } from '../../lib/core/documents.ts';
import { ThrottledError } from '../../lib/core/errors.ts';
import { retryRest } from '../../lib/core/retry.ts';
import type { DeliveryMessage, DeliveryQueue } from '../../lib/webhooks/delivery.ts';

/** The partition of the table `due` that holds the queue. */
const BUCKET = 'queue';

const BATCH_SIZE_MAX = 25;
const RETRIES = { attemptsMax: 5, firstMs: 20, maxMs: 160 };

/** A page takes about 10 ms of the emulator. Other calls hardly wait for it, however many messages there are. */
const PAGE_SIZE = 100;

/** A message of the queue, without its content. */
export interface QueuedMessage {
  /** Begins with the time from which the message is visible: ids sort by it. */
  readonly id: string;
  readonly endpointId: string;
  /** Until then, the message belongs to the process that claimed it. */
  readonly claimedUntilMs?: number | undefined;
}

/** The result of a claim. `taken`: another process has the message. `gone`: it was handled. */
export type Claim =
  | { readonly outcome: 'claimed'; readonly message: DeliveryMessage }
  | { readonly outcome: 'taken'; readonly untilMs: number }
  | { readonly outcome: 'gone' };

/**
 * The delivery queue of the local stage, in its database. Every process of the machine can send. As in SQS, a message is
 * invisible while a process handles it, and returns if no process removes it.
 */
export interface StoredDeliveryQueue extends DeliveryQueue {
  /** Lists the messages that become visible in a time, the oldest first, with those that a process has claimed. */
  list(range: { readonly fromMs: number; readonly toMs: number }): Promise<readonly QueuedMessage[]>;

  /**
   * Claims a message for a time.
   *
   * @param ofEnded whether the process that claimed `seen` has ended. Its claim is then ignored.
   */
  claim(seen: QueuedMessage, forMs: number, ofEnded?: boolean): Promise<Claim>;

  remove(id: string): Promise<void>;
}

const startOf = (atMs: number): string => new Date(atMs).toISOString();

/** The id of a message: the time from which it is visible, the endpoint and the event. */
const idOf = ({ endpoint, eventId }: DeliveryMessage, visibleAtMs: number): string =>
  `${startOf(visibleAtMs)}#${endpoint.endpointId}#${eventId}`;

const queuedMessage = ({ id, claimedUntilMs }: Record<string, unknown>): QueuedMessage => ({
  id: String(id),
  endpointId: String(id).split('#')[1] ?? '',
  ...(typeof claimedUntilMs === 'number' && { claimedUntilMs }),
});

interface StoredMessage {
  readonly message: DeliveryMessage;
}

type Table = readonly [documents: Documents, tableName: string];

const writeBatch = async ([documents, tableName]: Table, items: readonly object[]): Promise<void> => {
  const write = async (left: readonly object[]): Promise<readonly object[]> => {
    const requests = left.map((Item) => ({ PutRequest: { Item } }));
    const command = new BatchWriteCommand({ RequestItems: { [tableName]: requests } });
    const { UnprocessedItems } = await documents.send(command);
    return (UnprocessedItems?.[tableName] ?? []).map(({ PutRequest }) => PutRequest?.Item as object);
  };
  const left = await retryRest(items, write, RETRIES);
  if (left.length > 0) throw new ThrottledError();
};

const listMessages = async (
  [documents, tableName]: Table,
  fromMs: number,
  toMs: number,
): Promise<readonly QueuedMessage[]> => {
  const found: QueuedMessage[] = [];
  const query = {
    TableName: tableName,
    KeyConditionExpression: '#bucket = :bucket AND id BETWEEN :from AND :to',
    ProjectionExpression: 'id, claimedUntilMs',
    ExpressionAttributeNames: { '#bucket': 'bucket' },
    // `~` sorts after `#`: the range includes the messages of its last millisecond.
    ExpressionAttributeValues: { ':bucket': BUCKET, ':from': startOf(fromMs), ':to': `${startOf(toMs)}~` },
    ConsistentRead: true,
    Limit: PAGE_SIZE,
  };
  for await (const { Items = [] } of queryPages(documents, query)) {
    for (const item of Items) found.push(queuedMessage(item));
  }
  return found;
};

const claimMessage = async (
  [documents, tableName]: Table,
  id: string,
  claim: { readonly untilMs: number; readonly ifClaimedUntilMs: number },
): Promise<Claim> => {
  const command = new UpdateCommand({
    TableName: tableName,
    Key: { bucket: BUCKET, id },
    UpdateExpression: 'SET claimedUntilMs = :until',
    ConditionExpression:
      'attribute_exists(id) AND (attribute_not_exists(claimedUntilMs) OR claimedUntilMs <= :ended)',
    ExpressionAttributeValues: { ':until': claim.untilMs, ':ended': claim.ifClaimedUntilMs },
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await documents.send(command);
    return { outcome: 'claimed', message: (Attributes as StoredMessage).message };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const untilMs = Number(error.Item?.['claimedUntilMs']?.N);
    return error.Item ? { outcome: 'taken', untilMs } : { outcome: 'gone' };
  }
};

/**
 * Creates the queue.
 *
 * @param tableName the table `due`
 * @param onSend receives the messages that this process stored without a delay
 */
export const createDeliveryQueue = (
  documents: Documents,
  tableName: string,
  now: Clock,
  onSend: (messages: readonly QueuedMessage[]) => void = () => undefined,
): StoredDeliveryQueue => {
  const table: Table = [documents, tableName];
  return {
    async send(messages, delaySeconds = 0) {
      const visibleAtMs = now() + 1_000 * delaySeconds;
      // A batch must not have two items with the same key.
      const byId = new Map(messages.map((message) => [idOf(message, visibleAtMs), message]));
      const items = [...byId].map(([id, message]) => ({ bucket: BUCKET, id, message }));
      for (let start = 0; start < items.length; start += BATCH_SIZE_MAX) {
        await writeBatch(table, items.slice(start, start + BATCH_SIZE_MAX));
      }
      if (delaySeconds === 0) onSend(items.map(queuedMessage));
    },
    list: ({ fromMs, toMs }) => listMessages(table, fromMs, toMs),
    claim({ id, claimedUntilMs = 0 }, forMs, ofEnded = false) {
      const nowMs = now();
      const ifClaimedUntilMs = ofEnded ? Math.max(nowMs, claimedUntilMs) : nowMs;
      return claimMessage(table, id, { untilMs: nowMs + forMs, ifClaimedUntilMs });
    },
    async remove(id) {
      await documents.send(new DeleteCommand({ TableName: tableName, Key: { bucket: BUCKET, id } }));
    },
  };
};
