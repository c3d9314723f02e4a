import { hash } from 'node:crypto';

/** The bytes that a receiver verified, compared with those that were sent. */
interface VerifiedBytes {
  /** SHA-256, in hexadecimal digits. */
  readonly sent: string;
  readonly verified: string;
  /** The result of the comparison, and the next step. */
  readonly conclusion: string;
}

/** The clients report the SHA-256 of the body with a signature that is not valid, and so can any receiver. */
const DIGEST = /(?<![\da-f])[\da-f]{64}(?![\da-f])/i;

/** JSON with all its characters in ASCII, as of Python and PHP. */
const inAscii = (json: string): string =>
  json.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** JSON with a space after each comma and colon, as of Python. */
const spaced = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
};

/** A value whose objects have their members in alphabetical order, as those of a map in Go. */
const sorted = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
};

/** Go escapes these letters, because they have a meaning in HTML. */
const inGo = (json: string): string =>
  json.replaceAll(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);

const inPhp = (json: string): string => inAscii(json).replaceAll('/', String.raw`\/`);

const READ_BEFORE =
  'The receiver verified an empty body: a part of your framework had read the request before. Verify in front of it, or keep the raw body.';

const NOT_BYTES = 'The receiver verified the text of a parsed object. Pass the raw body instead.';

const serialisedAgain = (how: string): string =>
  `The body was parsed and serialised again (${how}). Verify the bytes as they arrive, before any parser.`;

/** The texts that receivers verify by mistake in place of the body, each with the conclusion. */
const MISTAKES: readonly (readonly [of: (body: string) => string, conclusion: string])[] = [
  [() => '', READ_BEFORE],
  [() => '[object Object]', NOT_BYTES],
  [(body) => inAscii(spaced(JSON.parse(body))), serialisedAgain('json.dumps of Python')],
  [(body) => spaced(JSON.parse(body)), serialisedAgain('json.dumps of Python, without ASCII')],
  [inPhp, serialisedAgain('json_encode of PHP')],
  [
    (body) => inPhp(body).replaceAll('{}', '[]'),
    serialisedAgain('json_encode of PHP, with arrays for objects'),
  ],
  [(body) => inGo(JSON.stringify(sorted(JSON.parse(body)))), serialisedAgain('a map of Go')],
  [(body) => JSON.stringify(JSON.parse(body), undefined, 2), serialisedAgain('with an indent of 2')],
  [(body) => JSON.stringify(JSON.parse(body), undefined, 4), serialisedAgain('with an indent of 4')],
  [(body) => `${body}\n`, 'The receiver added a line break at the end of the body.'],
];

const SAME =
  'The receiver verified the bytes that were sent, so its secret or the headers differ. Compare the secret with that of this endpoint.';

const DIFFERENT =
  'The receiver verified other bytes than those that were sent. Verify the bytes as they arrive, before any parser.';

/**
 * Compares the bytes that a receiver verified with those that were sent. `undefined` if the response has no SHA-256.
 *
 * @param body the JSON that was sent
 * @param response the beginning of the response
 */
export const compareBytes = (body: string, response: string | undefined): VerifiedBytes | undefined => {
  const [verified] = DIGEST.exec(response ?? '') ?? [];
  if (verified === undefined) return undefined;
  const isOf = (text: string): boolean => hash('sha256', text) === verified.toLowerCase();
  const mistake = MISTAKES.find(([of]) => isOf(of(body)));
  const conclusion = isOf(body) ? SAME : (mistake?.[1] ?? DIFFERENT);
  return { sent: hash('sha256', body), verified, conclusion };
};
