import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { erasedEventBody } from '../../../lib/buyers/erased-cart.ts';
import { logKey } from '../../../lib/events/store-event.ts';
import { toQueueText } from '../../../lib/queue-text.ts';
import { decideOnEach } from '../dead-letters/dead-letter-queue.ts';
import { parseLetter } from '../dead-letters/dead-letter.ts';
import { createSqs } from '../queues.ts';
import { requireOutput } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import type { Search } from './search.ts';

/** A string attribute of a record. */
interface Text {
  readonly S?: unknown;
}

/** The parts of a dead letter that an erasure reads. */
interface Letter {
  /** The endpoint of a delivery, which also has the `body` of its event. */
  readonly endpoint?: { readonly storeId?: unknown };
  readonly body?: unknown;
  /** A set-aside record of a stream, with the image of an event or a cart. */
  readonly record?: {
    readonly dynamodb?: { readonly NewImage?: Readonly<Record<string, unknown>> };
  };
}

/** Whether a dead letter is of a store: by the endpoint of a delivery, by a cart, or by the log of an event. */
const isOfStore = ({ endpoint, record }: Letter, store: string): boolean => {
  const { storeId, log } = (record?.dynamodb?.NewImage ?? {}) as { storeId?: Text; log?: Text };
  const logs = [logKey({ storeId: store, mode: 'live' }), logKey({ storeId: store, mode: 'test' })];
  return endpoint?.storeId === store || storeId?.S === store || logs.includes(String(log?.S));
};

/** The fields of a cart's image that a redrive needs. Without the image of an event, it reads the event log. */
const CART_FIELDS = ['id', 'storeId', 'mode', 'expiresAtMs'];

/** A dead letter without a buyer's data. It can still be redriven. `undefined` if it is of another kind. */
const erasedLetter = (letter: Letter): string | undefined => {
  if (typeof letter.body === 'string') {
    return toQueueText({ ...letter, body: erasedEventBody(letter.body) });
  }
  const { NewImage: image, ...dynamodb } = letter.record?.dynamodb ?? {};
  if (!image) return undefined;
  const kept = CART_FIELDS.filter((name) => Object.hasOwn(image, name));
  const NewImage = Object.fromEntries(kept.map((name) => [name, image[name]]));
  const isEvent = Object.hasOwn(image, 'log');
  return toQueueText({
    ...letter,
    record: { ...letter.record, dynamodb: isEvent ? dynamodb : { ...dynamodb, NewImage } },
  });
};

/**
 * Replaces the dead letters of a deployed stage that hold a buyer's data, at most 1,000 of each queue. The local stage has
 * none.
 *
 * @param isDryRun counts them only
 * @returns how many there are
 */
export const eraseDeadLetters = async (
  { outputs, name }: Stage,
  { buyer, store }: Search,
  isDryRun: boolean,
): Promise<number> => {
  if (!outputs) return 0;
  const sqs = createSqs();
  let found = 0;
  for (const output of ['SetAsideQueueUrl', 'DeliveryDeadLetterQueueUrl']) {
    const QueueUrl = requireOutput(outputs, output, name);
    await decideOnEach(sqs, QueueUrl, async ({ body }) => {
      const letter = buyer.isIn(body) ? (parseLetter(body) as Letter | undefined) : undefined;
      if (!letter || (store !== undefined && !isOfStore(letter, store))) return 'keep';
      const MessageBody = erasedLetter(letter);
      if (MessageBody === undefined) return 'keep';
      found += 1;
      if (isDryRun) return 'keep';
      // Send before the removal, so that an interruption loses no letter.
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
      return 'remove';
    });
  }
  return found;
};
