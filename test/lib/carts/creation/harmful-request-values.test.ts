import { describe, expect, it } from 'vitest';
import { findHarmfulValues } from '../../../../lib/carts/creation/harmful-request-values.ts';

const messagesOf = (body: unknown) => findHarmfulValues(body).map(({ path, message }) => [path, message]);

describe('a text that people read', () => {
  const VISIBLE = 'Must have a visible character';
  const CONTROLS = 'Must have no control character and no direction mark';

  it.each([
    ['\u200b', VISIBLE],
    ['\u2800', VISIBLE],
    ['\u3164', VISIBLE],
    ['\u00ad', VISIBLE],
    ['\u2060 \u2800', VISIBLE],
    ['\u202e', VISIBLE],
    ['\u0000', VISIBLE],
    ['Ada\u0000', CONTROLS],
    ['Ada\u001b[31m', CONTROLS],
    ['Ada\u009b', CONTROLS],
    ['Ada\u202egnp.exe', CONTROLS],
    ['Ada\u2069', CONTROLS],
    ['Ada\u200f', CONTROLS],
  ])('has a visible character, and none that people do not see: %j', (text, message) => {
    for (const field of ['firstName', 'lastName', 'phone']) {
      expect(messagesOf({ [field]: text })).toStrictEqual([[field, message]]);
    }
  });

  it.each(['Zoë 🎈', '  Ada\n', 'محمد', '山田', '👩\u200d🚀', 'نام\u200cخانوادگی', "O'Neil-\u00adSmith"])(
    'can be of any script, with white space around it: %j',
    (text) => {
      expect(messagesOf({ firstName: text, lastName: text, phone: text })).toStrictEqual([]);
    },
  );

  it('may be absent or empty', () => {
    for (const phone of [undefined, null, '', 5]) expect(messagesOf({ phone })).toStrictEqual([]);
    expect(messagesOf({ phone: ' ' })).toStrictEqual([['phone', VISIBLE]]);
  });
});

it('metadata has no NUL, which databases reject, but any other character', () => {
  const message = 'Must have no NUL character (U+0000), which databases reject';
  expect(messagesOf({ meta: { a: '', b: 'x\u0000' } })).toStrictEqual([['meta.b', message]]);
  expect(messagesOf({ meta: { '\u0000': '' } })).toStrictEqual([['meta.\u0000', message]]);
  expect(messagesOf({ meta: { a: '\u0001\u202e', b: 5, c: null, d: { toString: 5 } } })).toStrictEqual([]);
});

describe('a return address', () => {
  const address = (characters: string) => `https://shop.example/?q=${characters}`;
  const ADDED = `&cartId=3f8dc76d-3e37-4cd4-8f8a-9eebedf66201&status=waiting_payment`.length;
  /** An address whose redirect has this many bytes, with three of them for each space of 200 characters. */
  const ofBytes = (bytes: number) => {
    const wide = address('名'.repeat(800));
    return wide + 'a'.repeat(bytes - address('').length - 800 * 9 - ADDED);
  };

  it('has at most 8 KB with the id of the cart and percent-encoded', () => {
    expect(messagesOf({ redirectURL: ofBytes(8_192), cancelURL: ofBytes(8_192) })).toStrictEqual([]);
    const message = (bytes: number) =>
      `Must have at most 8192 bytes once it has the cart's id and is percent-encoded, not ${bytes}`;
    expect(messagesOf({ redirectURL: ofBytes(8_193), cancelURL: ofBytes(8_200) })).toStrictEqual([
      ['redirectURL', message(8_193)],
      ['cancelURL', message(8_200)],
    ]);
  });

  it.each([
    ['the longest of ASCII', address('a'.repeat(2_024)), 0],
    ['901 wide characters', address('名'.repeat(901)), 1],
    ['the most wide characters', address('名'.repeat(2_024)), 1],
    ['as many placeholders as fit', address('{CART_ID}'.repeat(224)), 0],
    ['encoded placeholders and wide characters', address('{CART_ID}'.repeat(180) + '名'.repeat(300)), 1],
    ['no valid address, however long', 'é'.repeat(5_000), 0],
  ])('is measured: %s', (_, redirectURL, issues) => {
    expect(findHarmfulValues({ redirectURL })).toHaveLength(issues);
  });
});

it('names the rule in the log, and no key of metadata', () => {
  const names = findHarmfulValues({
    firstName: '\u200b',
    meta: { 'ada@example.com': '\u0000' },
    redirectURL: `https://shop.example/${'名'.repeat(2_000)}`,
  }).map((issue) => issue.loggedAs);
  expect(names).toStrictEqual(['firstName (text)', 'meta (text)', 'redirectURL (length)']);
});

it.each([undefined, null, 'text', 5, []])('no other body has issues: %j', (body) => {
  expect(findHarmfulValues(body)).toStrictEqual([]);
});
