import { expect, it } from 'vitest';
import { startSandbox } from './support/sandbox.ts';
import { givenVisitor } from './support/visitor.ts';

const sandbox = await startSandbox();
const { baseUrl: origin } = sandbox;

it('the page to try the API sends the demo key, and is at most 2,000 pixels high with an open operation', async () => {
  const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock-post .opblock-summary-control').first().click();
  const operation = page.locator('.opblock-post.is-open');
  await operation.locator('summary').first().waitFor();
  expect((await operation.boundingBox())?.height).toBeLessThan(2_000);

  await operation.locator('.execute').click();
  const link = operation.locator('.payment-link a');
  await link.waitFor();
  expect(await operation.locator('.live-responses-table .response-col_status').last().innerText()).toContain(
    '201',
  );
  const address = String(await link.getAttribute('href'));
  expect(address).toMatch(new RegExp(`^${origin}/sandbox/checkout/`));
  expect((await page.goto(address))?.status()).toBe(200);
  expectNoIssues();
});

it('the address names the open operation and opens it again, and a filter finds operations', async () => {
  const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock-summary-control').nth(1).click();
  await page.waitForURL(`${origin}/docs#/Carts/getCart`);
  await page.goto('about:blank');
  await page.goto(`${origin}/docs#/Carts/getCart`);
  await page.locator('.opblock.is-open').waitFor();
  expect(await page.locator('.opblock.is-open .opblock-summary-path').innerText()).toContain('{cartId}');

  await page.getByRole('textbox', { name: 'Filter operations' }).fill('rotate-SECRET');
  // The events stay, below a heading of their own.
  expect(await page.getByRole('heading').allInnerTexts()).toContain('Delivered events');
  const operations = page.locator('.opblock:not([id^=operations-webhooks])');
  await operations.nth(1).waitFor({ state: 'detached' });
  expect(await operations.innerText()).toContain('rotate-secret');
  expectNoIssues();
});
