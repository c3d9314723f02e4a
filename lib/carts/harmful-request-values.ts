import { firstCharacters } from '../core/characters.ts';
import type { TestModeIssue } from '../requests/invalid-field.ts';
import { unreadableTextIssue } from '../schemas/readable-text.ts';
import { returnUrlIssue } from './request/return-url.ts';
import { returnAddress } from './return-address.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An issue of a value. The log of live mode names its field and the rule. */
const issueOf = (path: string, message: string | undefined, rule: string): readonly TestModeIssue[] =>
  message === undefined
    ? []
    : [{ path, message, loggedAs: `${path.replace(/^meta\..*/s, 'meta')} (${rule})` }];

/** The texts of a request that people read, on pages and in messages. */
const READ_TEXTS = ['firstName', 'lastName', 'phone'] as const;

/** The most characters of each. */
const CHARACTERS_MAX = 100;

const textIssues = (fields: Fields): readonly TestModeIssue[] =>
  READ_TEXTS.flatMap((path) => {
    const value = fields[path];
    if (typeof value !== 'string' || value === '') return [];
    const text = value.trim();
    // The schema rejects a name of white space alone, and a longer text.
    if (text === '' && path !== 'phone') return [];
    return text.length > 2 * CHARACTERS_MAX ? [] : issueOf(path, unreadableTextIssue(text), 'text');
  });

const META_PATH_CHARACTERS_MAX = 100;

/** Programs read `meta`. NUL is the one character that databases reject, such as `jsonb` of PostgreSQL. */
const metaIssues = ({ meta }: Fields): readonly TestModeIssue[] => {
  if (typeof meta !== 'object' || meta === null) return [];
  const found = Object.entries(meta).find((entry) =>
    entry.some((text) => typeof text === 'string' && text.includes('\0')),
  );
  if (!found) return [];
  const path = firstCharacters(`meta.${found[0]}`, META_PATH_CHARACTERS_MAX);
  return issueOf(path, 'Must have no NUL character (U+0000), which databases reject', 'text');
};

/**
 * API Gateway limits all headers to 10,240 bytes, and proxies limit one to 8 KB by default.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const LOCATION_BYTES_MAX = 8 * 1_024;

/** Percent-encoding makes at most nine bytes of a UTF-16 unit, and {@link returnAddress} adds at most 70. */
const isShort = (address: string): boolean => 9 * address.length + 70 <= LOCATION_BYTES_MAX;

const SOME_CART_ID = '00000000-0000-4000-8000-000000000000';

const locationIssue = (address: unknown): string | undefined => {
  if (typeof address !== 'string' || isShort(address) || returnUrlIssue(address) !== undefined)
    return undefined;
  // The longest status.
  const bytes = returnAddress({ returnUrl: address, id: SOME_CART_ID }, 'waiting_payment')?.length ?? 0;
  return bytes <= LOCATION_BYTES_MAX
    ? undefined
    : `Must have at most ${LOCATION_BYTES_MAX} bytes once it has the cart's id and is percent-encoded, not ${bytes}`;
};

/**
 * Finds the values of a create request that are valid, but harm somebody later: a name that nobody can read, a text that a database
 * rejects, or an address whose redirect is too long for a proxy. Only test mode rejects them.
 */
export const findHarmfulValues = (body: unknown): readonly TestModeIssue[] => {
  if (typeof body !== 'object' || body === null) return [];
  const fields = body as Fields;
  const addresses = ['redirectURL', 'cancelURL'].flatMap((path) =>
    issueOf(path, locationIssue(fields[path]), 'length'),
  );
  return [...textIssues(fields), ...metaIssues(fields), ...addresses];
};
