import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { DEMO_STORES } from '../../infra/local-access/demo-stores.ts';
import { expectAccessible } from './support/accessibility.ts';
import { startSandbox } from './support/sandbox.ts';
import { expectNoOverflow, givenVisitor, stopClock } from './support/visitor.ts';

const SCREENSHOTS = join(import.meta.dirname, '../../.local/screenshots');

const sandbox = await startSandbox();
const { baseUrl: origin } = sandbox;
// The clock runs: a cart would otherwise be created and paid in the same millisecond.
await sandbox.advanceClock(0);

const PAGES = ['/', '/guide/integrate.md', '/errors'];

const WINDOWS = [
  { width: 320, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'light' },
  { width: 1_280, colorScheme: 'dark' },
] as const;

describe.each(WINDOWS)('in a $colorScheme window of $width pixels', ({ width, colorScheme }) => {
  const options = { origin, viewport: { width, height: 800 }, colorScheme };

  it.each(PAGES)('the page is accessible and fits: %s', async (path) => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, options);
    await sandbox.createCart();
    await page.goto(origin + path);
    const name = path.replaceAll(/\W+/g, '-');
    await page.screenshot({ path: join(SCREENSHOTS, `stage${name}-${width}-${colorScheme}.png`) });
    await expectNoOverflow(page);
    await expectAccessible(page);
    const current = page.locator('header [aria-current=page]');
    expect(
      await current.evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).toStrictEqual([path]);
    expectNoIssues();
  });

  it('the page of an unknown address is accessible and fits', async () => {
    const { page } = await givenVisitor(sandbox.browser, options);
    expect((await page.goto(`${origin}/nothing`))?.status()).toBe(404);
    await expectNoOverflow(page);
    await expectAccessible(page);
  });

  it('the page to try the API is accessible and fits, before and after a request', async () => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, options);
    await page.goto(`${origin}/docs`);
    await page.locator('.opblock-post .opblock-summary-control').first().click();
    await page.locator('.opblock summary').first().waitFor();
    await expectAccessible(page);
    await page.locator('.execute').click();
    await page.locator('.payment-link a').waitFor();
    await page.locator('.opblock summary').nth(6).click();
    await page.screenshot({
      path: join(SCREENSHOTS, `stage-docs-${width}-${colorScheme}.png`),
      fullPage: true,
    });
    await expectNoOverflow(page);
    await expectAccessible(page);
    expectNoIssues();
  });
});

/** Opens the dashboard with timers that only the test runs. */
const givenDashboard = async () => {
  const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { origin });
  await page.clock.install();
  await stopClock(page);
  await page.goto(origin);
  const polls: string[] = [];
  page.on('request', (request) => polls.push(new URL(request.url()).pathname));
  return { page, polls, expectNoIssues };
};

/** The rows of a table, by the id of its heading. */
const rowsOf = (page: Page, id: string) => page.locator(`[aria-labelledby=${id}] tbody tr`);

it('requests and carts appear without a reload, and lead to the payment page', async () => {
  const { page, expectNoIssues } = await givenDashboard();
  const { id, redirectUrl } = await sandbox.createCart();
  await page.clock.runFor(1_000);
  const newest = rowsOf(page, 'requests').first();
  await expect.poll(() => newest.innerText()).toContain(id.slice(0, 8));
  expect(await newest.innerText()).toMatch(/^201\s+POST \/api\/v1\/stores\/cart\/checkout/);
  expect(await newest.locator('a').last().getAttribute('href')).toBe(`/carts/${id}`);
  const cart = rowsOf(page, 'carts').filter({ hasText: id.slice(0, 8) });
  await expect.poll(() => cart.innerText()).toContain('waiting payment');

  await fetch(redirectUrl, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  await page.clock.runFor(1_000);

  await expect.poll(() => cart.innerText()).toContain('completed');
  await cart.getByRole('link').click();
  await page.getByRole('link', { name: 'Open the receipt' }).click();
  expect(page.url()).toBe(redirectUrl);
  expectNoIssues();
});

it('a page that is hidden or paused sends nothing, and then catches up', async () => {
  const { page, polls } = await givenDashboard();
  const setVisibility = (state: string) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
       document.dispatchEvent(new Event('visibilitychange'));`,
    );
  await setVisibility('hidden');
  const { id } = await sandbox.createCart();
  await page.clock.runFor(60_000);
  expect(polls).toStrictEqual([]);

  await setVisibility('visible');
  await page.clock.runFor(1);
  await expect.poll(() => rowsOf(page, 'requests').first().innerText()).toContain(id.slice(0, 8));

  await page.getByRole('switch', { name: 'Live' }).uncheck();
  await expect.poll(() => page.locator('#live').innerText()).toContain(id.slice(0, 8));
  polls.length = 0;
  await page.clock.runFor(60_000);
  expect(polls).toStrictEqual([]);
  await page.getByRole('switch', { name: 'Live' }).check();
  await page.clock.runFor(1);
  await expect.poll(() => polls).toContain('/live');
});

it('new content leaves the keyboard where it was', async () => {
  const { page } = await givenDashboard();
  const first = await sandbox.createCart();
  await page.clock.runFor(1_000);
  const link = rowsOf(page, 'carts').getByRole('link').first();
  await expect.poll(() => link.innerText()).toContain(first.id.slice(0, 8));
  const address = String(await link.getAttribute('href'));
  await link.focus();
  const { id } = await sandbox.createCart();
  await page.clock.runFor(1_000);
  await expect.poll(() => rowsOf(page, 'carts').first().innerText()).toContain(id.slice(0, 8));
  expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe(address);
});

it('requests from pages are listed if the user wants them', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin });
  const { id, redirectUrl } = await sandbox.createCart();
  await fetch(redirectUrl);
  await page.goto(`${origin}/requests?q=${id}`);
  expect(await rowsOf(page, 'requests').allInnerTexts()).toHaveLength(1);
  await page.getByRole('link', { name: 'own requests' }).click();
  expect(await rowsOf(page, 'requests').filter({ hasText: 'GET' }).count()).toBe(1);
});

it('a button copies the key, and selects it in a browser without a clipboard', async () => {
  const key = DEMO_STORES[0].apiKey;
  const { page } = await givenVisitor(sandbox.browser, {
    origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const copy = page.getByRole('button', { name: 'Copy the key of demo-store-one' });
  await page.goto(origin);
  await page.getByText('the demo keys').click();
  await copy.click();
  await expect.poll(() => page.locator('.copied').allInnerTexts()).toContain('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);

  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.goto(origin);
  await page.getByText('the demo keys').click();
  await copy.click();
  await expect
    .poll(() => page.locator('.copied').allInnerTexts())
    .toContainEqual(expect.stringMatching(/^Selected/));
  expect(await page.evaluate('String(getSelection())')).toBe(key);
});

it('a time is relative to now, and a click shows the exact ones', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin, timezoneId: 'Asia/Tokyo', locale: 'en-GB' });
  await page.clock.install();
  await sandbox.createCart();
  await page.goto(origin);
  const time = rowsOf(page, 'carts').locator('time').first();
  await page.clock.fastForward('05:00');
  await expect.poll(() => time.innerText()).toMatch(/^[45] min ago$/);
  expect(await time.getAttribute('title')).toMatch(/GMT\+9, \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  await time.click();
  expect(await time.innerText()).toContain('GMT+9');
});
