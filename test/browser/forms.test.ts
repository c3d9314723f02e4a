import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startSandbox } from './support/sandbox.ts';
import { givenVisitor, stopClock } from './support/visitor.ts';

const sandbox = await startSandbox();
const { baseUrl: origin } = sandbox;

/** The rows of a table, by the id of its heading. */
const rowsOf = (page: Page, id: string) => page.locator(`[aria-labelledby=${id}] tbody tr`);

it('without JavaScript, the page shows the requests, its forms work, and no button is dead', async () => {
  const { page } = await givenVisitor(sandbox.browser, { javaScriptEnabled: false });
  const { id } = await sandbox.createCart();
  await page.goto(origin);
  expect(await rowsOf(page, 'requests').first().innerText()).toContain(id.slice(0, 8));
  expect(await page.getByText('Reload this page').isVisible()).toBe(true);
  expect(await page.getByRole('button').allInnerTexts()).toStrictEqual(['Create a test cart']);
  await page.getByRole('button').click();
  await page.waitForURL('**/sandbox/checkout/*');

  await page.goto(`${origin}/endpoints`);
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/plain');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.waitForURL('**/endpoints/*');
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  expect(await page.getByText('The endpoint is removed.').isVisible()).toBe(true);
});

it('a cancelled question returns the focus, the message about a removal disappears, and the page sends no more requests', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/endpoints`);
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/gone');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  await page.waitForURL('**/endpoints/*');
  await page.clock.install();
  const remove = page.getByRole('button', { name: 'Remove' });
  await remove.press('Enter');
  await page.clock.runFor(5_000);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await remove.and(page.locator(':focus')).waitFor();

  await stopClock(page);
  await remove.press('Enter');
  await page.getByRole('button', { name: 'Yes' }).press('Enter');
  const message = page.locator('#result');
  await expect.poll(() => message.innerText()).toBe('The endpoint is removed.');
  expect(String(await message.getAttribute('class'))).not.toContain('failed');
  await page.clock.runFor(2_000);
  expect(await message.innerText()).toBe('');
  await page.getByText('It was removed, or it is on another stage.').waitFor();
  expect(await page.locator('#live').evaluate('document.activeElement.id')).toBe('live');
  const polls: string[] = [];
  page.on('request', (request) => polls.push(request.url()));
  await page.clock.runFor(60_000);
  expect(polls).toStrictEqual([]);
});

it('an error shows a red message, a defect keeps the last content, and a stage that is down shows a bar', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/endpoints`);
  await page.clock.install();
  await stopClock(page);
  await page.getByRole('textbox', { name: 'Address' }).fill('ftp://127.0.0.1/');
  await page.getByRole('button', { name: 'Add the endpoint' }).click();
  const message = page.locator('#result');
  await expect.poll(() => message.innerText()).not.toBe('');
  expect(await message.getAttribute('class')).toContain('failed');
  await page.clock.resume();
  await expectAccessible(page);
  const content = await page.locator('#live').innerHTML();
  await page.clock.runFor(6_000);
  await page.route('**/live*', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL_ERROR' } }));
  await page.clock.runFor(1_000);
  await expect
    .poll(() => message.innerText())
    .toBe('The stage cannot renew this page. Its terminal has the error.');
  expect(await page.locator('#live').innerHTML()).toBe(content);
  await page.route('**/live*', (route) => route.abort());
  await page.clock.runFor(1_000);
  await expect
    .poll(() => page.getByRole('alert').innerText())
    .toBe('The stage does not respond. Start it again: this page then continues.');
  await expectAccessible(page);
});
