import { describe, expect, it } from 'vitest';
import { isRedirectUrl } from '../../../lib/carts/redirect-url.ts';

/** An address of so many characters. */
const addressOf = (characters: number, filler = 'x'): string =>
  'https://example.com/' + filler.repeat(characters - 20);

describe('a buyer can be sent', () => {
  it.each([
    'https://example.com',
    'http://example.com/',
    'HTTPS://EXAMPLE.COM/Thanks',
    'https://example.com/thanks?order=1&x=%20#top',
    'https://example.com?cart={CART_ID}',
    'https://example.com/{CART_ID}/done#{CART_ID}',
    'https://example.com#top',
    'http://localhost',
    'http://localhost:8080/thanks',
    'http://127.0.0.1:3000/',
    'http://[::1]:8080/thanks',
    'https://[2001:db8::1]/',
    'https://example.com:65535/',
    'https://exämple.com/dänke',
    'https://例え.jp/ありがとう',
    'https://xn--exmple-cua.com/',
    'https://example.com/@shop',
    'https://example.com/?mail=a@b',
    'https://example.com/a//b:c',
    "https://example.com/it's(fine)!$&*+,;=~",
  ])('to %s', (address) => {
    expect(isRedirectUrl(address)).toBe(true);
  });

  it('to an address of 2048 characters, and to none of 2049', () => {
    expect(isRedirectUrl(addressOf(2_048))).toBe(true);
    expect(isRedirectUrl(addressOf(2_049))).toBe(false);
  });

  it('to an address whose characters are counted as everywhere else: by code points', () => {
    expect(isRedirectUrl(addressOf(2_048, '🎈'))).toBe(true);
    expect(isRedirectUrl(addressOf(2_049, '🎈'))).toBe(false);
  });
});

describe('a buyer is never sent', () => {
  it.each([
    ['to a script', 'javascript:alert(1)'],
    ['to a script that looks like an address', 'javascript://example.com/%0Aalert(1)'],
    ['to data', 'data:text/html,<script>alert(1)</script>'],
    ['to a file', 'file:///etc/passwd'],
    ['to another protocol', 'ftp://example.com/'],
    ['to an app', 'myapp://example.com/'],
    ['to another protocol of a similar name', 'httpx://example.com/'],
    ['by a protocol that only folds to http', 'http\u017f://example.com/'],
    ['to a relative address', '//example.com/'],
    ['to a path', '/thanks'],
    ['to a bare host', 'example.com'],
    ['without slashes', 'https:example.com'],
    ['with one slash', 'https:/example.com'],
    ['with three slashes', 'https:///example.com'],
    ['with userinfo', 'https://a@b'],
    ['with empty userinfo', 'https://@b'],
    ['with a password', 'https://user:secret@example.com/'],
    ['with userinfo before a query', 'https://example.com:80@evil.example?x'],
    ['with encoded userinfo', 'https://user%40evil.example/'],
    ['with encoded userinfo and password', 'https://user%3Asecret%40evil.example/'],
    ['with userinfo in full width', 'https://user\uff20evil.example/'],
    ['with a slash in full width in its host', 'https://example.com\uff0fevil.example/'],
    ['with a back slash before the host', 'https:\\\\example.com'],
    ['with a back slash after the host', 'https://example.com\\@evil.example/'],
    ['with a back slash in the path', 'https://example.com/a\\b'],
    ['with a space before', ' https://example.com/'],
    ['with a space after', 'https://example.com/ '],
    ['with a space in the host', 'https://exa mple.com/'],
    ['with a space in the path', 'https://example.com/a b'],
    ['with a no-break space', 'https://example.com/a\u00a0b'],
    ['with a line separator', 'https://example.com/a\u2028b'],
    ['with a byte order mark', '\ufeffhttps://example.com/'],
    ['with a line break', 'https://example.com/\r\nSet-Cookie: a=b'],
    ['with a tab in the scheme', 'java\tscript://example.com/'],
    ['with a tab in the host', 'https://exa\tmple.com/'],
    ['with a NUL', 'https://example.com/\u0000'],
    ['with a DEL', 'https://example.com/\u007f'],
    ['with a C1 control', 'https://example.com/\u0085'],
    ['with half of a surrogate pair', 'https://example.com/\ud800'],
    ['without a host', 'https://'],
    ['without a host before a path', 'https:///'],
    ['without a host before a query', 'https://?a=b'],
    ['without a host before a port', 'https://:80/'],
    ['to a port that is none', 'https://example.com:port/'],
    ['to a port beyond 65535', 'https://example.com:65536/'],
    ['to two ports', 'https://example.com:80:80/'],
    ['to a number that is no IPv4 address', 'https://256.256.256.256/'],
    ['to an open IPv6 address', 'https://[::1/'],
    ['to an encoded host with a NUL', 'https://exa%00mple.com/'],
    ['nowhere', ''],
  ])('%s', (_, address) => {
    expect(isRedirectUrl(address)).toBe(false);
  });
});
