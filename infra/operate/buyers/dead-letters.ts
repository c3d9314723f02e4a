import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { erasedEventBody } from '../../../lib/buyers/erased-cart.ts';
import { logKey, type StoreEvent } from '../../../lib/events/store-event.ts';
import { toQueueText } from '../../../lib/queue-text.ts';
import { decideOnEach } from '../dead-letters/dead-letter-queue.ts';
import { parseLetter } from '../dead-letters/dead-letter.ts';
import { createSqs } from '../queues.ts';
import { requireOutput } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import type { Buyer } from './email.ts';
import type { Search } from './search.ts';

/** The image of an item in a record of a stream: an event or a cart. */
interface Image {
  readonly [name: string]: { readonly S?: unknown; readonly M?: Image } | undefined;
}

/** The parts of a dead letter that an erasure reads. */
interface Letter {
  /** The endpoint of a delivery, which also has the `body` of its event. */
  readonly endpoint?: { readonly storeId?: unknown };
  readonly body?: unknown;
  /** A set-aside record of a stream, with the image of an event or a cart. */
  readonly record?: { readonly dynamodb?: { readonly NewImage?: Image } };
}

/** What a run over the dead letters has found. */
export interface FoundLetters {
  /** How many letters are the buyer's. */
  readonly found: number;
  /** Letters that name the address, but cannot be read, such as `dead letter 5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11`. */
  readonly unreadable: readonly string[];
  /** Whether the queues may have more letters. */
  readonly hasMore: boolean;
}

/** The buyer of the cart that a letter is about. `undefined` if the letter has none that can be read. */
const customerInfoOf = ({ body, record }: Letter): { readonly email?: unknown } | undefined => {
  const image = record?.dynamodb?.NewImage;
  const event = body ?? image?.['body']?.S;
  if (typeof event === 'string') {
    return (parseLetter(event) as Partial<StoreEvent> | null | undefined)?.data?.customerInfo;
  }
  const customerInfo = image?.['customerInfo']?.M;
  return customerInfo && { email: customerInfo['email']?.S };
};

/**
 * The dead letter of a text if it is about a cart of the buyer. As in the tables, only `customerInfo` decides: a merchant's
 * copy of the address in the cart of another buyer does not count.
 *
 * @returns `unreadable` if the text names the address, but its cart cannot be read
 */
const letterOf = (text: string, buyer: Buyer): Letter | 'unreadable' | undefined => {
  if (!buyer.isIn(text)) return undefined;
  const letter = parseLetter(text) as Letter | null | undefined;
  const customerInfo = letter && customerInfoOf(letter);
  if (!letter || !customerInfo) return 'unreadable';
  return buyer.has(customerInfo.email) ? letter : undefined;
};

/** Whether a dead letter is of a store: by the endpoint of a delivery, by a cart, or by the log of an event. */
const isOfStore = ({ endpoint, record }: Letter, store: string): boolean => {
  const { storeId, log }: Image = record?.dynamodb?.NewImage ?? {};
  const logs = [logKey({ storeId: store, mode: 'live' }), logKey({ storeId: store, mode: 'test' })];
  return endpoint?.storeId === store || storeId?.S === store || logs.includes(String(log?.S));
};

/** The fields of a cart's image that a redrive needs. Without the image of an event, it reads the event log. */
const CART_FIELDS = ['id', 'storeId', 'mode', 'expiresAtMs'];

/** A dead letter without a buyer's data. It can still be redriven. */
const erasedLetter = (letter: Letter): string => {
  if (typeof letter.body === 'string') {
    return toQueueText({ ...letter, body: erasedEventBody(letter.body) });
  }
  const { NewImage: image = {}, ...dynamodb } = letter.record?.dynamodb ?? {};
  const kept = CART_FIELDS.filter((name) => Object.hasOwn(image, name));
  const NewImage = Object.fromEntries(kept.map((name) => [name, image[name]]));
  const isEvent = Object.hasOwn(image, 'log');
  return toQueueText({
    ...letter,
    record: { ...letter.record, dynamodb: isEvent ? dynamodb : { ...dynamodb, NewImage } },
  });
};

/**
 * Replaces the dead letters of a deployed stage that hold a buyer's data. The local stage has none.
 *
 * @param isDryRun counts them only
 */
export const eraseDeadLetters = async (
  { outputs, name }: Stage,
  { buyer, store }: Search,
  isDryRun: boolean,
): Promise<FoundLetters> => {
  if (!outputs) return { found: 0, unreadable: [], hasMore: false };
  const sqs = createSqs();
  let found = 0;
  const unreadable: string[] = [];
  const runs = [];
  for (const output of ['SetAsideQueueUrl', 'DeliveryDeadLetterQueueUrl']) {
    const QueueUrl = requireOutput(outputs, output, name);
    const run = await decideOnEach(sqs, QueueUrl, async ({ messageId, body }) => {
      const letter = letterOf(body, buyer);
      if (letter === 'unreadable') unreadable.push(`dead letter ${messageId}`);
      if (!letter || letter === 'unreadable') return 'keep';
      if (store !== undefined && !isOfStore(letter, store)) return 'keep';
      found += 1;
      if (isDryRun) return 'keep';
      // Send before the removal, so that an interruption loses no letter.
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: erasedLetter(letter) }));
      return 'remove';
    });
    runs.push(run);
  }
  return { found, unreadable, hasMore: runs.some(({ hasMore }) => hasMore) };
};
