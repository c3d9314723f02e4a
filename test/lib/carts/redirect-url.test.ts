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

  it.each(['x', '一'])('has a host and a port of at most 259 characters: %s', (filler) => {
    const hostOf = (characters: number): string =>
      [63, 63, 63, characters - 192].map((n) => filler.repeat(n)).join('.');
    expect(isRedirectUrl(`https://${hostOf(253)}:65535/`)).toBe(true);
    expect(isRedirectUrl(`https://${hostOf(254)}:65535/`)).toBe(false);
  });

  it.each([
    ['no scheme or no text', ['', '/thanks', '//example.com/', 'example.com']],
    ['the scheme of a script', ['javascript:alert(1)', 'javascript://example.com/%0Aalert(1)']],
    ['the scheme of data or a file', ['data:text/html,<script>alert(1)</script>', 'file:///etc/passwd']],
    ['another protocol', ['ftp://example.com/', 'myapp://example.com/', 'httpx://example.com/']],
    ['a protocol that case folding turns into http', ['http\u017f://example.com/']],
    ['a wrong number of slashes', ['https:example.com', 'https:/example.com', 'https:///example.com']],
    ['userinfo', ['https://a@b', 'https://@b', 'https://user:secret@example.com/']],
    ['userinfo before a query', ['https://example.com:80@evil.example?x']],
    ['encoded userinfo', ['https://user%40evil.example/', 'https://user%3Asecret%40evil.example/']],
    ['full-width punctuation', ['https://user\uff20evil.example/', 'https://example.com\uff0fevil.example/']],
    [
      'a backslash',
      ['https:\\\\example.com', 'https://example.com\\@evil.example/', 'https://a.example/a\\b'],
    ],
    ['a space around it', [' https://example.com/', 'https://example.com/ ', '\ufeffhttps://example.com/']],
    ['a space in it', ['https://exa mple.com/', 'https://example.com/a b', 'https://example.com/a\u00a0b']],
    ['a line break', ['https://example.com/a\u2028b', 'https://example.com/\r\nSet-Cookie: a=b']],
    ['a tab', ['java\tscript://example.com/', 'https://exa\tmple.com/']],
    ['a NUL', ['https://example.com/\u0000', 'https://exa%00mple.com/']],
    ['a control character', ['https://example.com/\u007f', 'https://example.com/\u0085']],
    ['half of a surrogate pair', ['https://example.com/\ud800']],
    ['no host', ['https://', 'https://?a=b', 'https://:80/']],
    ['an invalid port', ['https://a.example:port/', 'https://a.example:65536/', 'https://a.example:80:80/']],
    ['an invalid IP address', ['https://256.256.256.256/', 'https://[::1/']],
  ])('is rejected if it has %s', (_, addresses) => {
    for (const address of addresses) expect(isRedirectUrl(address), address).toBe(false);
  });
});
