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

it('the address names the open operation, and opens it again', async () => {
  const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/docs`);
  await page.locator('.opblock-summary-control').nth(1).click();
  await page.waitForURL(`${origin}/docs#/Carts/getCart`);
  await page.goto('about:blank');
  await page.goto(`${origin}/docs#/Carts/getCart`);
  await page.locator('.opblock.is-open').waitFor();
  expect(await page.locator('.opblock.is-open .opblock-summary-path').innerText()).toContain('{cartId}');
  expect(await page.getByRole('heading').allInnerTexts()).toContain('Delivered events');
  expectNoIssues();
});
