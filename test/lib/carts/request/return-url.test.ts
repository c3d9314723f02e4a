import { describe, expect, it } from 'vitest';
import { RETURN_URL_BOUNDS, returnUrlIssue } from '../../../../lib/carts/request/return-url.ts';

/** An address of this many characters. */
const addressOf = (characters: number, filler = 'x'): string =>
  'https://example.com/' + filler.repeat(characters - 20);

const VALID = `
  https://example.com http://example.com/ HTTPS://EXAMPLE.COM/Thanks https://example.com#top
  https://example.com/thanks?order=1&x=%20#top https://example.com?cart={CART_ID}
  https://example.com/{CART_ID}/done#{CART_ID} http://localhost http://localhost:8080/thanks
  http://127.0.0.1:3000/ http://[::1]:8080/thanks https://[2001:db8::1]/ https://example.com:65535/
  https://exämple.com/dänke https://例え.jp/ありがとう https://xn--exmple-cua.com/ https://example.com/@shop
  https://example.com/?mail=a@b https://example.com/a//b:c https://example.com/it's(fine)!$&*+,;=~
  https://example.com/?cart=%7BCART_ID%7d https://example.com/?filter={"a":"b"} https://example.com/?a={}{1}
  https://example.com/?guid={a4b2c3d4-e5f6-4711-8aaa-0123456789ab}
  https://example.com/?a={${'x'.repeat(41)}}`;

describe('a return address', () => {
  it.each(VALID.trim().split(/\s+/))('is accepted: %s', (address) => {
    expect(returnUrlIssue(address)).toBeUndefined();
  });

  it.each(['x', '🎈'])('has at most 2048 characters, counted as code points: %s', (filler) => {
    expect(returnUrlIssue(addressOf(2_048, filler))).toBeUndefined();
    expect(returnUrlIssue(addressOf(2_049, filler))).toBe('Must have at most 2048 characters');
  });

  it.each(['x', '一'])('has a host and a port of at most 259 characters: %s', (filler) => {
    const hostOf = (characters: number): string =>
      [63, 63, 63, characters - 192].map((n) => filler.repeat(n)).join('.');
    expect(returnUrlIssue(`https://${hostOf(253)}:65535/`)).toBeUndefined();
    expect(returnUrlIssue(`https://${hostOf(254)}:65535/`)).toBe(
      'Must have at most 259 characters of host and port',
    );
  });
});

const SCHEME = 'Must begin with https:// or http://';
const USERINFO = 'Must have no user name and no password';
const HOST = 'Must have a valid host and port';
const SPACE = 'Must have no white space, line breaks or control characters: remove or percent-encode them';
const BACKSLASH = 'Must have no backslashes';

const placeholder = (name: string): string =>
  `Unknown placeholder {${name}}; the only one is {CART_ID}, the cart's id`;

const INVALID: readonly (readonly [rule: string, message: string, addresses: readonly string[]])[] = [
  ['no text', 'Omit it or send an address', ['']],
  ['no scheme', SCHEME, ['/thanks', '//example.com/', 'example.com', '{CART_ID}']],
  ['the scheme of a script', SCHEME, ['javascript:alert(1)', 'javascript://example.com/%0Aalert(1)']],
  [
    'the scheme of data or a file',
    SCHEME,
    ['data:text/html,<script>alert(1)</script>', 'file:///etc/passwd'],
  ],
  ['another protocol', SCHEME, ['ftp://example.com/', 'myapp://example.com/', 'httpx://example.com/']],
  ['a protocol that case folding turns into http', SCHEME, ['http\u017f://example.com/']],
  ['too few slashes', SCHEME, ['https:example.com', 'https:/example.com']],
  ['userinfo', USERINFO, ['https://a@b', 'https://@b', 'https://user:secret@example.com/']],
  ['userinfo before a query', USERINFO, ['https://example.com:80@evil.example?x']],
  ['encoded userinfo', HOST, ['https://user%40evil.example/', 'https://user%3Asecret%40evil.example/']],
  [
    'full-width punctuation',
    HOST,
    ['https://user\uff20evil.example/', 'https://example.com\uff0fevil.example/'],
  ],
  [
    'a backslash',
    BACKSLASH,
    ['https:\\\\example.com', 'https://example.com\\@evil.example/', 'https://a.example/a\\b'],
  ],
  [
    'a space around it',
    SPACE,
    [' https://example.com/', 'https://example.com/ ', '\ufeffhttps://example.com/'],
  ],
  [
    'a space in it',
    SPACE,
    ['https://exa mple.com/', 'https://example.com/a b', 'https://example.com/a\u00a0b'],
  ],
  ['a line break', SPACE, ['https://example.com/a\u2028b', 'https://example.com/\r\nSet-Cookie: a=b']],
  ['a tab', SPACE, ['java\tscript://example.com/', 'https://exa\tmple.com/']],
  [
    'a control character',
    SPACE,
    ['https://example.com/\u0000', 'https://example.com/\u007f', 'https://example.com/\u0085'],
  ],
  ['half of a surrogate pair', 'Must be well-formed Unicode', ['https://example.com/\ud800']],
  ['an encoded NUL in its host', HOST, ['https://exa%00mple.com/']],
  ['no host', HOST, ['https://', 'https://?a=b', 'https://:80/', 'https:///example.com']],
  [
    'an invalid port',
    HOST,
    ['https://a.example:port/', 'https://a.example:65536/', 'https://a.example:80:80/'],
  ],
  ['an invalid IP address', HOST, ['https://256.256.256.256/', 'https://[::1/']],
];

describe('a redirect address is rejected, with the reason, if it has', () => {
  it.each(INVALID)('%s', (_, message, addresses) => {
    for (const address of addresses) expect(returnUrlIssue(address), address).toBe(message);
  });

  it.each([
    'cartId',
    'cart_id',
    'CHECKOUT_SESSION_ID',
    'Cart_Id',
    'cart-id',
    'cart.id',
    '_1',
    'x'.repeat(40),
  ])('an unknown placeholder: {%s}', (name) => {
    const message = placeholder(name);
    for (const text of [`{${name}}`, `{{${name}}}`, `%7b${name}%7D`, `{CART_ID}&a={${name}}&b={other}`])
      expect(returnUrlIssue(`https://example.com/?cart=${text}`), text).toBe(message);
  });
});

it('the keywords of JSON Schema agree, except about placeholders and the syntax of hosts and ports', () => {
  const pattern = new RegExp(RETURN_URL_BOUNDS.pattern, 'u');
  const matches = (address: string): boolean => address.isWellFormed() && pattern.test(address);
  const stated = INVALID.filter(([, message]) => message !== HOST).flatMap(([, , addresses]) => addresses);
  expect(
    VALID.trim()
      .split(/\s+/)
      .filter((address) => !matches(address)),
  ).toStrictEqual([]);
  expect(stated.filter(matches)).toStrictEqual([]);
});
