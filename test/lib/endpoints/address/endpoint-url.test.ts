import { describe, expect, it } from 'vitest';
import { parseEndpointUrl } from '../../../../lib/endpoints/address/endpoint-url.ts';

describe("an endpoint's address", () => {
  it.each([
    ['https://shop.example/hook?token=1', 'https://shop.example/hook?token=1'],
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example:443/hook', 'https://shop.example/hook'],
    ['https://shop.example:8443/hook', 'https://shop.example:8443/hook'],
    ['HTTPS://SHOP.example/hook', 'https://shop.example/hook'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://93.184.215.14/', 'https://93.184.215.14/'],
    ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
  ])('is https at port 443 or 8443: %s', (text, url) => {
    expect(parseEndpointUrl(text)).toStrictEqual({ ok: true, url });
  });

  const HTTPS = 'The address must begin with https://';
  const PORT = 'The port must be 443 or 8443';
  const USER = 'The address must have no user name and no password';
  const PUBLIC = 'The host must be a public IP address or a name';
  const EMPTY = 'The address is empty';
  const INVALID =
    'The address is not a valid URL, such as https://shop.example.com/webhooks: check its host and port';
  const OF_500 = 'The address must have at most 500 characters';
  it.each([
    ['http://shop.example/', HTTPS],
    ['http://127.0.0.1:8080/', HTTPS],
    ['ftp://shop.example/', HTTPS],
    ['file:///etc/passwd', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['https://shop.example:80/', PORT],
    ['https://shop.example:22/', PORT],
    ['https://user@shop.example/', USER],
    ['https://:password@shop.example/', USER],
    ['https://10.0.0.1/', PUBLIC],
    ['https://0x7f.1/', PUBLIC],
    ['https://[::1]/', PUBLIC],
    ['', EMPTY],
    [' ', EMPTY],
    ['shop.example/hook', HTTPS],
    ['shop.example:8443/hook', HTTPS],
    ['//shop.example/hook', HTTPS],
    ['127.0.0.1/x', HTTPS],
    ['https://', INVALID],
    ['https://shop.example:99999/', INVALID],
    ['https://my shop.example/', INVALID],
    [`https://shop.example/${'a'.repeat(480)}`, OF_500],
    [`https://shop.example/${'🙂'.repeat(480)}`, OF_500],
  ])('is not %s', (text, reason) => {
    expect(parseEndpointUrl(text)).toStrictEqual({ ok: false, reason });
  });

  it.each([
    ['a', 'a'],
    ['é', '%C3%A9'],
    ['名', '%E5%90%8D'],
    ['🙂', '%F0%9F%99%82'],
  ])('has at most 500 characters before percent-encoding: %s', (character, encoded) => {
    const address = 'https://shop.example/';
    const url = address + encoded.repeat(479);
    expect(parseEndpointUrl(address + character.repeat(479))).toStrictEqual({ ok: true, url });
  });

  it('names what the local stage accepts', () => {
    for (const text of ['ftp://127.0.0.1/', '127.0.0.1/hook', 'localhost:8080/hook']) {
      expect(parseEndpointUrl(text, { allowsLoopback: true })).toStrictEqual({
        ok: false,
        reason: 'The address must begin with https://, or with http:// and point to this machine',
      });
    }
  });

  it.each(['http://127.0.0.1:8080/hook', 'http://localhost:3000/', 'http://[::1]/', 'http://127.9.9.9:1/'])(
    'on the local stage may be %s',
    (text) => {
      expect(parseEndpointUrl(text, { allowsLoopback: true }).ok).toBe(true);
    },
  );

  it.each([
    'http://shop.example/',
    'http://10.0.0.1:8080/',
    'http://0.0.0.0:8080/',
    'http://169.254.169.254/',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost.shop.example/',
    'http://user@localhost/',
    'https://127.0.0.1:8080/',
  ])('on the local stage is not %s', (text) => {
    expect(parseEndpointUrl(text, { allowsLoopback: true }).ok).toBe(false);
  });
});

it.each([
  ['https://api.example/prod', 'https://api.example./hook', false],
  ['https://api.example/prod', 'https://api.example:8443/', false],
  ['https://api.example/prod', 'https://shop.example/', true],
  ['http://127.0.0.1:3000', 'http://localhost:3000/hook', false],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:8080/hook', true],
  ['http://127.0.0.1:3000', 'https://shop.example/', true],
])('the API at %s accepts the address %s: %s', (publicUrl, url, ok) => {
  expect(parseEndpointUrl(url, { allowsLoopback: true, publicUrl })).toMatchObject({ ok });
});
