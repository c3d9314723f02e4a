import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { erasedEventBody } from '../../../lib/buyers/erased-cart.ts';
import { parseEventBody } from '../../../lib/events/event-body.ts';
import { parseLogKey } from '../../../lib/events/store-event.ts';
import { parseJson } from '../../../lib/core/parse-json.ts';
import { toQueueText } from '../../../lib/core/queue-text.ts';
import { decideOnEach, hasHeldLetters } from '../dead-letters/dead-letter-queue.ts';
import { createSqs } from '../queues.ts';
import { outputOf } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import type { Gaps } from './gaps.ts';
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

/** The buyer of the cart that a letter is about. `undefined` if the letter has none that can be read. */
const customerInfoOf = ({ body, record }: Letter): { readonly email?: unknown } | undefined => {
  const image = record?.dynamodb?.NewImage;
  const event = body ?? image?.['body']?.S;
  if (typeof event === 'string') return parseEventBody(event)?.data.customerInfo;
  const customerInfo = image?.['customerInfo']?.M;
  return customerInfo && { email: customerInfo['email']?.S };
};

/** The store of a dead letter: of the endpoint of a delivery, of a cart, or of the log of an event. */
const storeOf = ({ endpoint, record }: Letter): string | undefined => {
  const { storeId, log }: Image = record?.dynamodb?.NewImage ?? {};
  const ofLog = typeof log?.S === 'string' ? parseLogKey(log.S).storeId : undefined;
  return [endpoint?.storeId, storeId?.S, ofLog].find((id) => typeof id === 'string');
};

/**
 * The dead letter of a text if it is about a cart of the buyer. As in the tables, only `customerInfo` decides: a merchant's
 * copy of the address in the cart of another buyer does not count.
 *
 * @returns `unreadable` if the text names the address, but its cart or, in a search of one store, its store cannot be read
 */
const letterOf = (text: string, { buyer, store }: Search): Letter | 'unreadable' | undefined => {
  if (!buyer.isIn(text)) return undefined;
  const letter = parseJson(text) as Letter | null | undefined;
  if (!letter) return 'unreadable';
  const ofStore = storeOf(letter);
  if (store !== undefined && ofStore !== undefined && ofStore !== store) return undefined;
  const customerInfo = customerInfoOf(letter);
  if (!customerInfo) return 'unreadable';
  if (!buyer.has(customerInfo.email)) return undefined;
  return store !== undefined && ofStore === undefined ? 'unreadable' : letter;
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
 * @param gaps gets the letters that name the address but cannot be read, and whether there may be more
 * @param isDryRun counts them only
 * @returns how many letters are the buyer's
 */
export const eraseDeadLetters = async (
  stage: Stage,
  search: Search,
  gaps: Gaps,
  isDryRun: boolean,
): Promise<number> => {
  if (!stage.outputs) return 0;
  const sqs = createSqs();
  let found = 0;
  for (const output of ['SetAsideQueueUrl', 'DeliveryDeadLetterQueueUrl']) {
    const QueueUrl = outputOf(stage, output);
    // Soon after the dry run, SQS would still count the letters that this command itself has held.
    if (isDryRun && (await hasHeldLetters(sqs, QueueUrl))) gaps.hasHeldLetters = true;
    const hasMore = await decideOnEach(sqs, QueueUrl, async ({ messageId, body }) => {
      const letter = letterOf(body, search);
      if (letter === 'unreadable') gaps.unreadable.add(`dead letter ${messageId}`);
      if (!letter || letter === 'unreadable') return 'keep';
      found += 1;
      if (isDryRun) return 'keep';
      // Send before the removal, so that an interruption loses no letter.
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: erasedLetter(letter) }));
      return 'remove';
    });
    gaps.hasMoreLetters ||= hasMore;
  }
  return found;
};
