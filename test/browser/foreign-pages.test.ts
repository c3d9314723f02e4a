import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedDynamodb } from '../../infra/local/database/embedded-dynamodb.ts';
import { startSandbox } from './support/sandbox.ts';
import { givenVisitor } from './support/visitor.ts';

const sandbox = await startSandbox();

/** A call of DynamoDB. Its signature is wrong: the emulator checks none. */
const LIST_TABLES = {
  method: 'POST',
  headers: {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    'X-Amz-Date': '20261122T000000Z',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=local/20261122/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  },
  body: '{}',
};

const CREATE_CART = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };

const NOTHING = 'Failed to fetch';

/** The body of a response as the script of a page reads it, or the message of its failure. */
const readBy = (page: Page, url: string, init: object): Promise<unknown> =>
  page.evaluate(
    `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then((response) => response.text(), ({ message }) => message)`,
  );

it('the page of another site reads nothing from any port of the local stage', async () => {
  const emulator = await startEmbeddedDynamodb({ data: 'memory' });
  onTestFinished(() => emulator.close());
  const { page } = await givenVisitor(sandbox.browser);

  for (const site of [sandbox.merchant.baseUrl, sandbox.merchant.otherUrl]) {
    await page.goto(site);
    expect(await readBy(page, sandbox.dynamodbEndpoint, LIST_TABLES)).toBe(NOTHING);
    expect(await readBy(page, emulator.endpoint, LIST_TABLES)).toBe(NOTHING);
    expect(await readBy(page, `${sandbox.baseUrl}/api/v1/stores/cart/checkout`, CREATE_CART)).toBe(NOTHING);
    for (const path of ['/', '/live', '/carts/x', '/docs', '/openapi.json']) {
      expect(await readBy(page, `${sandbox.baseUrl}${path}`, {})).toBe(NOTHING);
    }
  }
});

it('a page whose name leads to the local stage after it has loaded (DNS rebinding) gets rejections', async () => {
  const { page } = await givenVisitor(sandbox.browser);
  await page.route('**/attack', (route) => route.fulfill({ contentType: 'text/html', body: 'Attack' }));
  /** Browsers resolve every name that ends in `.localhost` to this machine. */
  const rebound = (address: string): string => address.replace('127.0.0.1', 'evil.localhost');

  await page.goto(`${rebound(sandbox.baseUrl)}/attack`);
  expect(await readBy(page, '/api/v1/stores/cart/checkout', CREATE_CART)).toContain('"FORBIDDEN"');
  await page.goto(`${rebound(sandbox.dynamodbEndpoint)}/attack`);
  expect(await readBy(page, '/', LIST_TABLES)).toContain('#AccessDeniedException');
});
