import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { startWebhookReceiver } from '../support/http/webhook-receiver.ts';
import { startService, stopProcesses, WITH_RECEIVER } from '../support/programs/processes.ts';
import { expectAccessible } from './support/accessibility.ts';
import { launchChromium } from './support/chromium.ts';
import { createCartOn, expectNoOverflow, givenVisitor } from './support/visitor.ts';

const browser = await launchChromium();

afterAll(async () => {
  await browser.close();
  await stopProcesses();
});

const stage = await startService(['--data', 'memory', WITH_RECEIVER]);

/** Presses Tab until the element with this role and name has the focus, at most a hundred times. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
  }
  throw new Error(`The keyboard does not reach ${selector}`);
};

/** The newest row of a table, by the id of its heading. */
const newest = (page: Page, id: string) => page.locator(`[aria-labelledby=${id}] tbody tr`).first();

it.each([
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 1_280, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'dark' },
] as const)(
  'the keyboard alone leads from the dashboard to a verified webhook: $width $colorScheme',
  async ({ width, colorScheme }) => {
    const viewport = { width, height: 900 };
    const { page, expectNoIssues } = await givenVisitor(browser, {
      origin: stage.baseUrl,
      viewport,
      colorScheme,
    });
    await page.goto(stage.baseUrl);
    await tabTo(page, '#create .primary');
    const opened = page.context().waitForEvent('page');
    await page.keyboard.press('Enter');
    const payment = await opened;
    await payment.waitForURL('**/sandbox/checkout/*');
    await tabTo(payment, '#pay');
    await payment.keyboard.press('Enter');
    await payment.waitForURL('**/carts/*');
    await expect.poll(() => payment.locator('#live').innerText()).toContain('signature verified');

    await expect.poll(() => newest(page, 'carts').innerText()).toContain('completed');
    await expect.poll(() => newest(page, 'events').innerText()).toContain('signature verified');
    await tabTo(page, '[aria-labelledby=events] [href^="/deliveries/"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/deliveries/**');
    expect(await page.locator('#live').innerText()).toMatch(
      /The signature verifies\..*webhook-signature\s+v1,/s,
    );
    const lists = ['carts', 'requests?sender=any', 'events', 'endpoints'].map(
      (list) => `${stage.baseUrl}/${list}`,
    );
    const addresses = [stage.baseUrl, payment.url(), page.url(), ...lists];
    for (const address of addresses) {
      await page.goto(address);
      await expectNoOverflow(page);
      await expectAccessible(page);
    }
    expectNoIssues();
  },
);

it.each([390, 1_280])(
  'the keyboard alone leads to the reason of a rejected request, and adds and removes an endpoint: %i',
  async (width) => {
    const { baseUrl } = stage;
    const { page, expectNoIssues } = await givenVisitor(browser, {
      origin: baseUrl,
      viewport: { width, height: 900 },
    });
    await fetch(`${baseUrl}/api/v1/stores/events`);
    await page.goto(baseUrl);
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    expect(await skip.evaluate('document.activeElement.className')).toBe('skip');
    expect((await page.locator('header').boundingBox())?.y, 'top of the header').toBe(0);
    await tabTo(page, '[href^="/requests/"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/requests/*');
    expect(await page.locator('#live').innerText()).toContain('INVALID_API_KEY');
    await expectNoOverflow(page);
    await expectAccessible(page);

    await tabTo(page, '[href="/endpoints"]');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/endpoints');
    await tabTo(page, '[type=url]');
    await page.keyboard.type(`http://127.0.0.1:9/${width}`);
    await tabTo(page, '#endpoint button');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/endpoints/*');
    await expectAccessible(page);
    await tabTo(page, 'button[value*=DELETE]');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    expectNoIssues();
    // An update replaces the button, and leaves the question.
    await page.evaluate("document.querySelector('#live').innerHTML += ' '");
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('It was removed, or it is on another stage.').waitFor();
  },
);

it('buttons refund a paid cart, expire another one, and send an event again', async () => {
  const { page } = await givenVisitor(browser, { origin: stage.baseUrl });
  await page.goto(stage.baseUrl);
  const payment = await createCartOn(page);
  await payment.getByRole('button', { name: /^Pay/ }).first().click();
  await payment.getByRole('button', { name: 'Refund' }).click();
  await expect.poll(() => payment.locator('#live').innerText()).toContain('cart.refunded');
  await payment.locator('[aria-labelledby=timeline] a').first().click();
  await payment.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(() => payment.locator('[aria-labelledby=attempts] tbody tr').count()).toBe(2);

  await page.goto(stage.baseUrl);
  await (await createCartOn(page)).close();
  await expect.poll(() => newest(page, 'carts').innerText()).toContain('waiting payment');
  await newest(page, 'carts').getByRole('link').click();
  await page.getByRole('button', { name: 'Expire now' }).click();
  await expect.poll(() => page.locator('#live').innerText()).toContain('cart.abandoned');
});

/** The deliveries of payments. */
const paymentsOf = (page: Page) =>
  page.locator('[aria-labelledby=deliveries] tbody tr').filter({ hasText: 'cart.completed' });

it('an entered address gets the webhooks, and stays after a restart with the carts and deliveries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dashboard-'));
  const flags = ['--data', join(folder, 'stage.sqlite'), WITH_RECEIVER];
  const first = await startService(flags);
  const receiver = await startWebhookReceiver();
  const { page } = await givenVisitor(browser, { origin: first.baseUrl });
  await page.goto(`${first.baseUrl}/endpoints`);
  await page.getByLabel('Address').fill(receiver.url);
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.waitForURL('**/endpoints/*');
  expect(await page.locator('#secret').innerText()).toMatch(/^whsec_/);
  await page.goto(first.baseUrl);
  const payment = await createCartOn(page);
  await payment.getByRole('button', { name: /^Pay/ }).first().click();
  await page.goto(`${first.baseUrl}/endpoints`);
  await expect.poll(() => paymentsOf(page).count()).toBe(2);
  await first.stop();

  const { baseUrl } = await startService(flags);
  const { page: later } = await givenVisitor(browser, { origin: baseUrl });
  await later.goto(baseUrl);
  expect(await newest(later, 'carts').innerText()).toContain('completed');
  await later.goto(`${baseUrl}/endpoints`);
  expect(await paymentsOf(later).count()).toBe(2);
  expect(await later.locator('[aria-labelledby=endpoints]').innerText()).toContain(
    new URL(receiver.url).host,
  );
  await receiver.close();
});
