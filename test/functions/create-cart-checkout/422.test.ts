import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../../support/contract/expect-error.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { givenService, type TestService } from '../../support/service/service.ts';

// These examples prove the wiring. The bounds are tested in `test/lib/carts/request/create-cart-request.test.ts` and
// `test/lib/http/body/json-body.test.ts`.

let service: TestService;
let apiKey: string;

beforeAll(async () => {
  service = await givenService();
  apiKey = await service.givenKey({ limit: 1_000 });
  await service.givenProduct({ id: 'free', pricing: { type: 'free' } });
});

afterAll(async () => {
  const { Count } = await service.documents.send(
    new ScanCommand({ TableName: service.tableNames.testCarts }),
  );
  expect(Count, 'carts that rejected requests created').toBe(0);
});

/** A valid body with one more member, as it goes over the wire. */
const bodyWith = (member: string): string => `${cartBody('free').slice(0, -1)},${member}}`;

const detailsOf = async (
  body: string | Uint8Array,
  headers: Record<string, string | undefined> = {},
): Promise<unknown> => {
  const response = await service.createCart(body, { apiKey, headers });
  expectError(response, 'invalidPayload');
  return response.body['details'];
};

const NO_PROTOTYPE = 'Must have no field __proto__ or constructor.prototype';

describe('a body that cannot be read', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'A JSON body is required'],
    ['null', 'null', 'Must be a JSON object'],
    [
      'objects 10,000 deep',
      '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
      'Must have at most 1000 JSON tokens',
    ],
    ['not UTF-8', Buffer.concat([Buffer.from(cartBody('free')), Buffer.of(0xff)]), 'Must be valid UTF-8'],
    ['5 MB', bodyWith(`"padding":"${'x'.repeat(5_000_000)}"`), 'Must have at most 131072 bytes'],
    ['with a prototype', bodyWith('"meta":{"constructor":{"prototype":{"polluted":"x"}}}'), NO_PROTOTYPE],
    ['with a trailing comma', '{"email":"a",}', 'Must be valid JSON: unexpected } at position 13'],
  ])('is rejected: %s', async (_, body, message) => {
    expect(await detailsOf(body)).toStrictEqual([{ path: '', message }]);
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    [undefined, ''],
    ['text/cck_secret', ''],
    ['text/plain;charset=UTF-8', ', not text/plain'],
    ['application/x-www-form-urlencoded', ', not application/x-www-form-urlencoded'],
  ])('is rejected: of the content type %s', async (type, not) => {
    expect(await detailsOf(cartBody('free'), { 'Content-Type': type })).toStrictEqual([
      { path: 'headers.content-type', message: `Content-Type must be application/json${not}` },
    ]);
  });
});

describe('an invalid field', () => {
  it.each([
    ['"phone":"\\ud83d"', 'phone', 'Must be well-formed Unicode'],
    ['"meta":{"":"x"}', 'meta.', 'Must have 1 to 40 characters'],
    ['"customerPrice":1e400', 'customerPrice', 'Must be a finite number'],
    [
      '"customerPrice":5e-324',
      'customerPrice',
      'Must be a payable amount in EUR: above 0, with at most 2 decimals',
    ],
    ['"a":1', 'customerPrice', 'The product has no suggested price: choose one'],
    ['"email":null', 'email', 'email is required'],
    ['"redirectURL":""', 'redirectURL', 'Omit it or send an address'],
    [
      '"redirectURL":"https://shop.example/?cart={cartId}"',
      'redirectURL',
      "Unknown placeholder {cartId}; the only one is {CART_ID}, the cart's id",
    ],
    ['"meta":{"age":30}', 'meta.age', 'Must be a string: send "30", not 30'],
    // Live mode accepts these.
    ['"phone":"\\u202e1"', 'phone', 'Must have no control character and no direction mark'],
    [
      '"customerPrice":0.99999999999999999',
      'customerPrice',
      'Has more digits than a number keeps: send at most 15. In PHP, set serialize_precision to -1',
    ],
    ['"redirectUrl":"x"', 'redirectUrl', 'Unknown field redirectUrl; did you mean redirectURL?'],
  ])('is reported by its path and one sentence: %s', async (member, path, message) => {
    expect(await detailsOf(bodyWith(member))).toStrictEqual([{ path, message }]);
  });

  it.each(['Content-Type', 'Idempotency-Key'])('may be a header with two lines: %s', async (name) => {
    const headers = { [name]: 'a', [name.toUpperCase()]: 'application/json' };
    expect(await detailsOf(cartBody('free', { customerPrice: 5 }), headers)).toStrictEqual([
      { path: `headers.${name.toLowerCase()}`, message: 'Must be sent once' },
    ]);
  });

  it.each(['clé', '', ' '])('may be the Idempotency-Key: %j', async (key) => {
    expect(await detailsOf(cartBody('free'), { 'Idempotency-Key': key })).toStrictEqual([
      { path: 'headers.idempotency-key', message: 'Must be 1 to 255 printable ASCII characters' },
    ]);
  });
});
