import { describe, expect, it } from 'vitest';
import { isRedirectUrl } from '../../../lib/carts/redirect-url.ts';

/** An address of this many characters. */
const addressOf = (characters: number, filler = 'x'): string =>
  'https://example.com/' + filler.repeat(characters - 20);

const VALID = `
  https://example.com http://example.com/ HTTPS://EXAMPLE.COM/Thanks https://example.com#top
  https://example.com/thanks?order=1&x=%20#top https://example.com?cart={CART_ID}
  https://example.com/{CART_ID}/done#{CART_ID} http://localhost http://localhost:8080/thanks
  http://127.0.0.1:3000/ http://[::1]:8080/thanks https://[2001:db8::1]/ https://example.com:65535/
  https://exämple.com/dänke https://例え.jp/ありがとう https://xn--exmple-cua.com/ https://example.com/@shop
  https://example.com/?mail=a@b https://example.com/a//b:c https://example.com/it's(fine)!$&*+,;=~`;

describe('a redirect address', () => {
  it.each(VALID.trim().split(/\s+/))('is accepted: %s', (address) => {
    expect(isRedirectUrl(address)).toBe(true);
  });

  it.each(['x', '🎈'])('has at most 2048 characters, counted as code points: %s', (filler) => {
    expect(isRedirectUrl(addressOf(2_048, filler))).toBe(true);
    expect(isRedirectUrl(addressOf(2_049, filler))).toBe(false);
  });

  it.each([
    ['a script', 'javascript:alert(1)'],
    ['a script that looks like an address', 'javascript://example.com/%0Aalert(1)'],
    ['data', 'data:text/html,<script>alert(1)</script>'],
    ['a file', 'file:///etc/passwd'],
    ['another protocol', 'ftp://example.com/'],
    ['an app', 'myapp://example.com/'],
    ['a protocol with a similar name', 'httpx://example.com/'],
    ['a protocol that case folding turns into http', 'http\u017f://example.com/'],
    ['a relative address', '//example.com/'],
    ['a path', '/thanks'],
    ['a bare host', 'example.com'],
    ['no slashes', 'https:example.com'],
    ['one slash', 'https:/example.com'],
    ['three slashes', 'https:///example.com'],
    ['userinfo', 'https://a@b'],
    ['empty userinfo', 'https://@b'],
    ['a password', 'https://user:secret@example.com/'],
    ['userinfo before a query', 'https://example.com:80@evil.example?x'],
    ['encoded userinfo', 'https://user%40evil.example/'],
    ['encoded userinfo and password', 'https://user%3Asecret%40evil.example/'],
    ['userinfo in full width', 'https://user\uff20evil.example/'],
    ['a full-width slash in the host', 'https://example.com\uff0fevil.example/'],
    ['a backslash before the host', 'https:\\\\example.com'],
    ['a backslash after the host', 'https://example.com\\@evil.example/'],
    ['a backslash in the path', 'https://example.com/a\\b'],
    ['a space before', ' https://example.com/'],
    ['a space after', 'https://example.com/ '],
    ['a space in the host', 'https://exa mple.com/'],
    ['a space in the path', 'https://example.com/a b'],
    ['a no-break space', 'https://example.com/a\u00a0b'],
    ['a line separator', 'https://example.com/a\u2028b'],
    ['a byte order mark', '\ufeffhttps://example.com/'],
    ['a line break', 'https://example.com/\r\nSet-Cookie: a=b'],
    ['a tab in the scheme', 'java\tscript://example.com/'],
    ['a tab in the host', 'https://exa\tmple.com/'],
    ['a NUL', 'https://example.com/\u0000'],
    ['a DEL', 'https://example.com/\u007f'],
    ['a C1 control', 'https://example.com/\u0085'],
    ['half of a surrogate pair', 'https://example.com/\ud800'],
    ['no host', 'https://'],
    ['no host before a query', 'https://?a=b'],
    ['no host before a port', 'https://:80/'],
    ['a port in letters', 'https://example.com:port/'],
    ['a port above 65535', 'https://example.com:65536/'],
    ['two ports', 'https://example.com:80:80/'],
    ['an invalid IPv4 address', 'https://256.256.256.256/'],
    ['an IPv6 address without its end', 'https://[::1/'],
    ['an encoded host with a NUL', 'https://exa%00mple.com/'],
    ['nothing', ''],
  ])('is rejected: %s', (_, address) => {
    expect(isRedirectUrl(address)).toBe(false);
  });
});
