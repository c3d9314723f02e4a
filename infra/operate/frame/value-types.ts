import { DAY_MS, HOUR_MS } from '../../../lib/core/durations.ts';
import { EVENT_TYPES } from '../../../lib/events/event-types.ts';
import { InvalidArgumentError } from 'commander';
import { CANARY_STORE_ID } from '../../../lib/canary/canary-store.ts';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { parseLocale } from '../../../lib/core/locale.ts';
import { MODES } from '../../../lib/stores/mode.ts';
import { parseRfc3339 } from '../../../lib/core/rfc3339.ts';
import { exactNumber } from '../../../lib/products/price.ts';
import { isStoreName } from '../../../lib/stores/store.ts';
import { callersPath } from '../../terminal/callers-path.ts';
import { parseHttpUrl, UsageError } from '../../terminal/command-line.ts';
import type { ValueType } from './parameter.ts';
import type { Context } from './context.ts';

/**
 * A type whose `read` returns `undefined` for a malformed text.
 *
 * @param Rejection Commander repeats the text before the message of an InvalidArgumentError. A UsageError suits possible secrets
 */
export const typeOf = <Value>(
  placeholder: string,
  rule: string,
  read: (text: string, nowMs: number) => Value | undefined,
  Rejection: new (rule: string) => Error = InvalidArgumentError,
): ValueType<Value> => ({
  placeholder,
  parse: (text, nowMs) => {
    const value = read(text, nowMs);
    if (value === undefined) throw new Rejection(rule);
    return value;
  },
});

const patternOf = (
  placeholder: string,
  rule: string,
  pattern: RegExp,
  Rejection?: typeof UsageError,
): ValueType<string> =>
  typeOf(placeholder, rule, (text) => (pattern.test(text) ? text : undefined), Rejection);

/** One of some words. Commander rejects any other. */
export const choice = <const Word extends string>(
  placeholder: string,
  choices: readonly Word[],
): ValueType<Word> => ({ placeholder, choices, parse: (text) => text as Word });

export const MODE = choice('mode', MODES);

/** Any text. The command checks it. */
export const anyText = (placeholder: string): ValueType<string> => ({ placeholder, parse: (text) => text });

/** A file or a folder, as an absolute path. */
export const FILE: ValueType<string> = {
  placeholder: 'file',
  parse: (text) => callersPath(text, 'operate'),
};

export const FOLDER: ValueType<string> = { ...FILE, placeholder: 'folder' };

/** A name or a label. The rule is that of a store's name. */
export const TEXT = typeOf('text', 'It must be 1 to 100 printable characters.', (text) =>
  isStoreName(text) ? text : undefined,
);

export const ID = patternOf('id', 'It must be 1 to 128 letters, digits, _ or -.', /^[A-Za-z0-9_-]{1,128}$/);

/** A payment provider's id. Of one that is pasted, neither white space nor a look-alike makes another id, and another payment. */
export const PROVIDER_ID = typeOf('id', 'It must be 1 to 128 printable ASCII characters.', (text) =>
  /^[ -~]{1,128}$/.exec(text.trim())?.at(0),
);

/** The rule of `lib/payments/payment-event.ts`. */
export const FAILURE_REASON = patternOf(
  'code',
  'It must be 1 to 64 letters, digits, _ or -.',
  /^[A-Za-z0-9_-]{1,64}$/,
);

export const EVENT_ID = patternOf('id', 'It must be evt_ and 32 hexadecimal digits.', /^evt_[0-9a-f]{32}$/);

export const STAGE_NAME = patternOf('name', 'It must be the name of a stage.', /\S/);

const COUNT_MAX = 9_999_999_999;

/** A whole number from 1. */
export const countUpTo = (max: number, placeholder = 'number'): ValueType<number> =>
  typeOf(placeholder, `It must be a whole number of at least 1 and at most ${max}.`, (text) =>
    /^[1-9]\d{0,9}$/.test(text) && Number(text) <= max ? Number(text) : undefined,
  );

export const COUNT = countUpTo(COUNT_MAX);
export const SECONDS = countUpTo(COUNT_MAX, 'seconds');

export const AMOUNT = typeOf(
  'amount',
  'It must be an amount such as 19.99, with at most 15 digits.',
  (text) => (text.startsWith('-') ? undefined : exactNumber(text)),
);

export const HTTP_URL: ValueType<string> = { placeholder: 'url', parse: parseHttpUrl };

export const LANG = typeOf('xx-YY', 'It must be a language and a region, such as fr-FR.', parseLocale);

const UNIT_MS = { s: 1_000, m: 60_000, h: HOUR_MS, d: DAY_MS };

const DURATION_MAX_MS = 3_650 * UNIT_MS.d;

/** Reads a duration such as 90d, 24h, 30m or 45s, in milliseconds. */
const readDuration = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  return durationMs <= DURATION_MAX_MS ? durationMs : undefined;
};

const DURATION_RULE = 'It must be a whole number of s, m, h or d, such as 24h, up to 3650d.';

/** A duration, in milliseconds. */
export const DURATION = typeOf('duration', DURATION_RULE, readDuration);

/** A duration above zero, in milliseconds. */
export const LIFETIME = typeOf('duration', `${DURATION_RULE} It must be longer than zero.`, (text) =>
  /[1-9]/.test(text) ? readDuration(text) : undefined,
);

const TIME_FORMS =
  'a duration before now such as 24h, a date such as 2026-11-20, or an RFC 3339 timestamp such as 2026-11-20T14:00:00Z';

/** A time, in milliseconds since the epoch. A date begins in UTC. */
export const TIME: ValueType<number> = {
  ...typeOf('time', `It must be ${TIME_FORMS}.`, (text, nowMs) => {
    const agoMs = readDuration(text);
    if (agoMs !== undefined) return nowMs - agoMs;
    return parseRfc3339(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  }),
  note: `A time is ${TIME_FORMS}.`,
};

/** Types of events, in the order of their declaration. */
export const EVENTS: ValueType<readonly string[]> = typeOf(
  'types',
  `They must be some of ${EVENT_TYPES.join(', ')}, separated by commas.`,
  (text) => {
    const words = text.split(',').map((word) => word.trim());
    const types = EVENT_TYPES.filter((type) => words.includes(type));
    return words.every((word) => types.some((type) => type === word)) ? types : undefined;
  },
);

const CART_ID_RULE = 'A cart id is a UUID, as in the response to its creation.';

/** The id of a cart, which the stage may lack. */
export const CART_ID = typeOf('id', CART_ID_RULE, parseCartId);

/** A type whose values are on the stage, by their ids. */
const foundType = <Value>(
  ids: ValueType<string>,
  find: (id: string, context: Context) => Promise<Value>,
): ValueType<Value> => ({
  placeholder: ids.placeholder,
  parse: (text, nowMs) => {
    const id = ids.parse(text, nowMs) as string;
    return (context: Context) => find(id, context);
  },
});

const foundStore = (ids: ValueType<string>): ValueType<string> =>
  foundType(ids, async (id, context) => (await import('./find.ts')).findStoreId(id, context));

/** The id of an existing store. */
export const STORE = foundStore(ID);

export const MERCHANTS_STORE_ID = typeOf(
  'id',
  'It is reserved for the canary, whose requests count in no metric.',
  (text, nowMs) => (text === CANARY_STORE_ID ? undefined : (ID.parse(text, nowMs) as string)),
);
export const MERCHANTS_STORE = foundStore(MERCHANTS_STORE_ID);

const KEY_ID = typeOf(
  'keyId',
  'A key id has 64 hexadecimal digits, and its first four are enough if no other key has them: find it with `keys list`.',
  (text) => /^[0-9a-f]{4,64}$/.exec(text.trim().toLowerCase())?.[0],
  UsageError,
);

/** A key, by its id or the beginning of it. */
export const KEY = foundType(KEY_ID, async (id, context) => (await import('./find.ts')).findKey(id, context));

/** A key that is neither revoked nor expired. */
export const USABLE_KEY = foundType(KEY_ID, async (id, context) =>
  (await import('./find.ts')).findUsableKey(id, context),
);

/** A webhook endpoint. Its id alone finds it: the table of endpoints is small. */
export const ENDPOINT = foundType(
  patternOf(
    'id',
    'An endpoint id is we_ and 24 letters or digits: find it with `webhooks list`.',
    /^we_[0-9A-Za-z]{24}$/,
    UsageError,
  ),
  async (id, context) => (await import('./find.ts')).findEndpoint(id, context),
);

/** A cart of either mode. */
export const CART = foundType(typeOf('id', CART_ID_RULE, parseCartId, UsageError), async (id, context) =>
  (await import('./find.ts')).findCart(id, context),
);
