import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { cartBody } from '../support/domain/cart-body.ts';
import { startWebhookReceiver, verifyWebhook } from '../support/http/webhook-receiver.ts';
import { startService, stopProcesses } from '../support/programs/processes.ts';
import { expectAccessible } from './support/accessibility.ts';
import { launchChromium } from './support/chromium.ts';
import { startMerchant } from './support/merchant.ts';
import { expectNoOverflow, givenVisitor } from './support/visitor.ts';

const browser = await launchChromium();
const merchant = await startMerchant();
const flags = ['--data', join(mkdtempSync(join(tmpdir(), 'path-')), 'stage.sqlite')];
const stage = await startService(flags);

afterAll(async () => {
  await browser.close();
  await merchant.close();
  await stopProcesses();
});

const [store] = stage.stores;

/** Sends a request as a program of the merchant does. */
const call = async (path: string, init: { body?: string; headers?: Record<string, string> } = {}) => {
  const headers = {
    Authorization: `Bearer ${store?.apiKey}`,
    'Content-Type': 'application/json',
    ...init.headers,
  };
  const { body } = init;
  const response = await fetch(`${stage.baseUrl}/api/v1/stores${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body !== undefined && { body }),
  });
  expect(response.ok, path).toBe(true);
  return (await response.json()) as { readonly redirectUrl: string; readonly cart: { readonly id: string } };
};

const doneSteps = (page: Page): Promise<number> => page.locator('#live .checklist li.done').count();

/** A receiver that verifies signatures with a secret once it has one. */
const startCarefulReceiver = async () => {
  let secret = '';
  let status = 204;
  const receiver = await startWebhookReceiver((webhook) => {
    try {
      verifyWebhook(secret, webhook);
      status = 204;
    } catch {
      status = secret === '' ? 204 : 400;
    }
  });
  receiver.respond(() => status);
  return { ...receiver, verifyWith: (its: string) => (secret = its) };
};

it('the checklist of an integration ticks itself, folds when it is done, and stays after a restart', async () => {
  const { page } = await givenVisitor(browser, {
    origin: stage.baseUrl,
    viewport: { width: 390, height: 844 },
  });
  await page.goto(stage.baseUrl);
  expect(await doneSteps(page)).toBe(0);

  const body = cartBody(String(store?.products[0]?.id), { redirectURL: `${merchant.baseUrl}/return` });
  const { cart, redirectUrl } = await call('/cart/checkout', { body, headers: { 'Idempotency-Key': 'a' } });
  await expect.poll(() => doneSteps(page)).toBe(1);
  const buyer = await page.context().newPage();
  const choose = async (action: 'pay' | 'decline') => {
    await buyer.goto(redirectUrl);
    await buyer.locator(`[type=radio][value=${action}]`).check();
    await buyer.locator('#pay').click();
    await buyer.waitForURL(`${merchant.baseUrl}/**`);
    await call(`/cart/${cart.id}`);
  };
  await choose('decline');
  await expect.poll(() => doneSteps(page)).toBe(2);
  await choose('pay');
  await expect.poll(() => doneSteps(page)).toBe(3);
  await call('/cart/checkout', { body, headers: { 'Idempotency-Key': 'a' } });
  await call('/events');
  await expect.poll(() => doneSteps(page)).toBe(5);
  await expectAccessible(page);

  const receiver = await startCarefulReceiver();
  await page.goto(`${stage.baseUrl}/endpoints`);
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.waitForURL('**/endpoints/*');
  const results = page.locator('[aria-labelledby=check] tbody tr');
  const check = async () => page.getByRole('button', { name: /^Check/ }).click();
  await check();
  await expect.poll(() => results.allInnerTexts()).toHaveLength(3);
  expect(await page.locator('#result').innerText()).toBe('Your endpoint did not reject a forged event.');
  expect(await results.nth(1).innerText()).toContain('must be rejected');
  receiver.verifyWith(await page.locator('#secret').innerText());
  await check();
  await expect.poll(() => results.nth(2).innerText()).toContain('rejected, as it must be');
  await expectAccessible(page);
  await expectNoOverflow(page);
  await receiver.close();

  await page.goto(stage.baseUrl);
  const checklist = page.locator('#live .checklist');
  expect(await checklist.getAttribute('open')).toBeNull();
  expect(await checklist.innerText()).toContain('all steps are done');
  await stage.stop();
  const { baseUrl } = await startService(flags);
  await page.goto(baseUrl);
  expect(await doneSteps(page)).toBe(6);
});

it('a receiver that fails gets test events of each type, and its delivery says why', async () => {
  const { baseUrl, stop } = await startService();
  const receiver = await startWebhookReceiver();
  await receiver.close();
  const { page } = await givenVisitor(browser, { origin: baseUrl });
  await page.goto(`${baseUrl}/endpoints`);
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.waitForURL('**/endpoints/*');
  await page.getByRole('button', { name: 'cart.refunded' }).click();
  await page.locator('[aria-labelledby=deliveries] a').filter({ hasText: 'cart.refunded' }).click();
  await page.waitForURL('**/deliveries/**');
  const { host } = new URL(receiver.url);
  await expect
    .poll(() => page.locator('#live').innerText())
    .toContain(`Connection refused: is your server running at ${host}?`);
  await expectAccessible(page);
  await stop();
});
