import { InvalidArgumentError } from 'commander';
import { DAY_MS, HOUR_MS } from '../../../lib/core/durations.ts';
import { parseRfc3339 } from '../../../lib/core/timestamps.ts';
import { MODES } from '../../../lib/stores/mode.ts';
import { isStoreName } from '../../../lib/stores/store.ts';
import { callersPath } from '../../terminal/callers-path.ts';
import { parseHttpUrl, UsageError } from '../../terminal/command-line.ts';
import type { Context } from './context.ts';
import { exactNumber } from './exact-number.ts';
import type { ValueType } from './parameter.ts';

/**
 * A type whose `read` returns `undefined` for a malformed text.
 *
 * @param Rejection UsageError for values that may be secret: it does not echo them, as Commander does with an InvalidArgumentError
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

/** A type of the texts that match a pattern. */
export const patternOf = (
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

interface TimeRange {
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** Rejects a time range that ends before it begins. */
export const checkRange = ({ since = -Infinity, until = Infinity }: TimeRange): void => {
  if (since > until) throw new UsageError('--until must not be before --since.');
};

/** A type whose values are on the stage, by their ids. */
export const foundType = <Value>(
  ids: ValueType<string>,
  find: (id: string, context: Context) => Promise<Value>,
): ValueType<Value> => ({
  placeholder: ids.placeholder,
  parse: (text, nowMs) => {
    const id = ids.parse(text, nowMs) as string;
    return (context: Context) => find(id, context);
  },
});
