import { firstCharacters } from '../../core/characters.ts';
import { unreadableTextIssue } from '../../core/readable-text.ts';
import type { TestModeIssue } from '../../requests/invalid-field.ts';
import type { CreateCartRequest } from '../request/create-cart-request.ts';
import { returnUrlIssue } from '../request/return-url.ts';
import { returnAddress } from '../return-address.ts';

/** An issue of a value. The log of live mode names its field and the rule. */
const issueOf = (path: string, message: string | undefined, rule: string): readonly TestModeIssue[] =>
  message === undefined
    ? []
    : [{ path, message, loggedAs: `${path.replace(/^meta\..*/s, 'meta')} (${rule})` }];

/** Checks the value of a field. It need not be valid. */
type Check = (value: unknown, path: string) => readonly TestModeIssue[];

/** The most characters of a text that people read, on pages and in messages. */
const CHARACTERS_MAX = 100;

const checkReadText: Check = (value, path) => {
  if (typeof value !== 'string' || value === '') return [];
  const text = value.trim();
  // The schema rejects a name of white space alone, and a longer text.
  if (text === '' && path !== 'phone') return [];
  return text.length > 2 * CHARACTERS_MAX ? [] : issueOf(path, unreadableTextIssue(text), 'text');
};

const META_PATH_CHARACTERS_MAX = 100;

/** Programs read `meta`. NUL is the one character that databases reject, such as `jsonb` of PostgreSQL. */
const checkMeta: Check = (value, name) => {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).find((entry) =>
    entry.some((text) => typeof text === 'string' && text.includes('\0')),
  );
  if (!found) return [];
  const path = firstCharacters(`${name}.${found[0]}`, META_PATH_CHARACTERS_MAX);
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

const checkAddress: Check = (address, path) => {
  if (typeof address !== 'string' || isShort(address) || returnUrlIssue(address) !== undefined) return [];
  // The longest status.
  const bytes = returnAddress({ returnUrl: address, id: SOME_CART_ID }, 'waiting_payment')?.length ?? 0;
  if (bytes <= LOCATION_BYTES_MAX) return [];
  const message = `Must have at most ${LOCATION_BYTES_MAX} bytes once it has the cart's id and is percent-encoded, not ${bytes}`;
  return issueOf(path, message, 'length');
};

/** The schema permits no harmful value. */
const harmless: Check = () => [];

type TextField = {
  [Field in keyof CreateCartRequest]-?: NonNullable<CreateCartRequest[Field]> extends number ? never : Field;
}[keyof CreateCartRequest];

/** The check of each field with text, in the order of the issues. One that is missing here does not compile. */
const CHECKS = Object.entries({
  firstName: checkReadText,
  lastName: checkReadText,
  phone: checkReadText,
  meta: checkMeta,
  redirectURL: checkAddress,
  cancelURL: checkAddress,
  productDocumentId: harmless,
  email: harmless,
  lang: harmless,
} satisfies Record<TextField, Check>);

/**
 * Finds the values of a create request that are valid, but harm somebody later: a name that nobody can read, a text that a database
 * rejects, or an address whose redirect is too long for a proxy. Only test mode rejects them.
 */
export const findHarmfulValues = (body: unknown): readonly TestModeIssue[] => {
  if (typeof body !== 'object' || body === null) return [];
  const fields = body as Readonly<Record<string, unknown>>;
  return CHECKS.flatMap(([path, check]) => check(fields[path], path));
};
