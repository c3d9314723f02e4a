import { afterAll, beforeAll, expect, test } from 'vitest';
import { cartIdOf } from '../../support/http-client.ts';
import { stopProcesses } from '../../support/processes.ts';
import { BUYER } from '../../support/secrets.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

let stage: TestStage;
let apiKey: string;

beforeAll(async () => {
  stage = await givenStage();
  apiKey = await stage.givenKey();
});

afterAll(stopProcesses);

test('a cart is declined, refused, paid and shown over HTTP, by a client that follows redirects', async () => {
  const body = JSON.stringify({ productDocumentId: stage.productId, ...BUYER });
  const created = await stage.createCart(body, { apiKey });
  const redirectUrl = String(created.body['redirectUrl']);
  const submit = (action: string): Promise<Response> =>
    fetch(redirectUrl, { method: 'POST', body: new URLSearchParams({ action }) });
  const status = async (): Promise<unknown> =>
    (await stage.getCart(cartIdOf(created), { apiKey })).body['status'];

  expect((await submit('decline')).url).toBe(redirectUrl);
  expect(await status()).toBe('payment_failed');
  expect((await submit('wrong_amount')).url).toBe(`${redirectUrl}?notice=wrong_amount`);
  expect(await status()).toBe('payment_failed');

  const receipt = await submit('pay');
  expect([receipt.status, receipt.redirected, receipt.url]).toStrictEqual([200, true, redirectUrl]);
  expect(await receipt.text()).toContain('Receipt');
  expect(await status()).toBe('completed');
});
