import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../functions/sandbox-checkout/actions.ts';
import { OUTAGES } from '../../support/service/faulty-service.ts';
import { givenSandbox, type PageRequest, type PageResponse } from './sandbox.ts';

const sandbox = await givenSandbox();

/** The headers of curl with `-d`. */
const CURL = { Accept: '*/*', 'Content-Type': 'application/x-www-form-urlencoded' };

const submit = (id: string, form: string, headers: PageRequest['headers'] = CURL): Promise<PageResponse> =>
  sandbox.submit(id, form, { headers });

const linesOf = ({ headers, body }: PageResponse): string[] => {
  expect(headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(body.endsWith('\n')).toBe(true);
  return body.trimEnd().split('\n');
};

describe('the text of an action', () => {
  it.each([
    ['pay', 'pay: Done. The cart is completed.', 'https://shop.example/thanks?cartId=ID&status=completed'],
    [
      'decline',
      'decline: Done. The cart is payment_failed.',
      'https://shop.example/thanks?cartId=ID&status=payment_failed',
    ],
    ['expire', 'expire: Done. The cart is abandoned.', './ID'],
    [
      'wrong_amount',
      'wrong_amount: The payment was rejected because its amount differs from the total. The cart is waiting_payment.',
      './ID?notice=wrong_amount',
    ],
  ])('has the result and the next address: %s', async (action, result, next) => {
    const id = await sandbox.givenCart();
    const response = await submit(id, `action=${action}`);
    const address = next.replace('ID', id);
    expect(response).toMatchObject({ status: 303, headers: { location: address } });
    expect(linesOf(response)).toStrictEqual([result, `Next: ${address}`]);
  });
});

describe('the text of an error', () => {
  const KNOWN = `Send one field action in a form: ${ACTIONS.join(', ')}.`;

  it.each([
    ['action=fail', 'The action fail is unknown'],
    ['action=%1B%5B2Jfail', 'The action is unknown'],
    [`action=${'a'.repeat(41)}`, 'The action is unknown'],
    ['', 'The form has no action'],
    ['amount=1', 'The form has no action'],
    ['action=pay&action=pay', 'The form has several actions'],
    [`action=pay&${'x'.repeat(1_014)}`, 'The form is too long'],
  ])('says what is wrong with the form: %s', async (form, cause) => {
    const response = await submit(await sandbox.givenCart(), form);
    expect(response.status).toBe(422);
    expect(linesOf(response)).toStrictEqual(['422 VALIDATION_ERROR', `${cause}. ${KNOWN}`]);
  });

  it('names the media type of the form for JSON', async () => {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    expect(linesOf(await submit(await sandbox.givenCart(), '{"action":"pay"}', headers))).toStrictEqual([
      '422 VALIDATION_ERROR',
      `Content-Type must be application/x-www-form-urlencoded. ${KNOWN}`,
    ]);
  });

  it('has the causes of a missing cart, and its stage', async () => {
    const [first, stage, ...causes] = linesOf(await submit(randomUUID(), 'action=pay'));
    expect([first, stage]).toStrictEqual(['404 INVALID_PRODUCT', 'Stage: test']);
    expect(causes).toHaveLength(3);
  });

  it('has nothing internal of an outage, and keeps Retry-After', async () => {
    const fail = OUTAGES.timeout;
    const broken = await givenSandbox(() => ({ carts: { find: () => Promise.reject(fail()) } }));
    const response = await broken.show(randomUUID(), { headers: { Accept: '*/*' } });
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(linesOf(response)).toStrictEqual([
      '503 SERVICE_UNAVAILABLE',
      'This page is temporarily unavailable. Please try again in a moment.',
    ]);
  });
});

it.each([{ Accept: undefined }, { ACCEPT: 'text/plain, */*;q=0.1' }])(
  'is also the response to other programs: %j',
  async (headers) => {
    const response = await sandbox.show(randomUUID(), { headers: { Accept: undefined, ...headers } });
    expect(linesOf(response)[0]).toBe('404 INVALID_PRODUCT');
  },
);
