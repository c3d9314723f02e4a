import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Stop, stopOf, walk } from './support/keyboard.ts';
import { startSandbox } from './support/sandbox.ts';
import { givenVisitor } from './support/visitor.ts';

const sandbox = await startSandbox();
const { baseUrl: origin } = sandbox;

/** Sends a form of the dashboard. */
const submit = async (path: string, fields: Record<string, string>): Promise<string> => {
  const headers = { Accept: 'application/json' };
  const response = await fetch(origin + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return ((await response.json()) as { address: string }).address;
};

/** Opens the summary with the focus and folds it again, or the other way round. */
const toggle = async (page: Page): Promise<readonly string[]> => {
  const isOpen = () => page.evaluate<boolean>('document.activeElement.parentElement.open');
  const states = [await isOpen()];
  for (const key of ['Enter', 'Space']) {
    await page.keyboard.press(key);
    states.push(await isOpen());
  }
  return states[0] !== states[1] && states[0] === states[2] ? [] : ['a summary that no key opens'];
};

/** Renews the live part, and expects the focus where it was. */
const renew = async (page: Page, before: Stop): Promise<readonly string[]> => {
  await page.evaluate("document.querySelector('#live > *').setAttribute('data-old', '')");
  await page.clock.runFor(1_000);
  await expect.poll(() => page.locator('#live > [data-old]').count()).toBe(0);
  const after = await stopOf(page);
  return before.position === after.position ? [] : [`an update took the focus of ${before.name}`];
};

it('the keyboard alone reaches each control of each page in order, sees where it is, and stays there', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin });
  await page.clock.install();
  let updates = 0;
  await page.route(/\/live(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${await response.text()}<!-- ${(updates += 1)} -->` });
  });
  const problems: Record<string, readonly string[]> = {};
  const walkAt = async (path: string, open: () => Promise<void> = async () => {}) => {
    await page.goto(path.startsWith('http') ? path : origin + path);
    await open();
    const found = await walk(page, async (stop) => [
      ...(stop.tag === 'summary' ? await toggle(page) : []),
      ...(stop.isLive ? await renew(page, stop) : []),
    ]);
    if (found.length > 0) problems[path] = found;
  };
  const linkIn = async (path: string, selector: string): Promise<string> => {
    await page.goto(origin + path);
    return String(await page.locator(`#live ${selector}`).first().getAttribute('href'));
  };

  await walkAt('/');
  const cart = await submit('/carts', { product: 'one-course' });
  const endpoint = await submit('/endpoints', { store: 'demo-store-one', url: 'http://127.0.0.1:9/hook' });
  await fetch(origin + cart, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  await sandbox.createCart();
  await expect.poll(async () => (await fetch(`${origin}${endpoint}/live`)).text()).toContain('/deliveries/');
  for (const path of ['/', '/carts', '/requests', '/events', '/endpoints', '/carts?status=late', endpoint])
    await walkAt(path);
  await walkAt(await linkIn('/carts', 'a[href^="/carts/"]'));
  await walkAt(await linkIn('/requests', 'a[href^="/requests/"]'));
  await walkAt(await linkIn(endpoint, 'a[href^="/deliveries/"]'));
  for (const path of ['/carts/00000000-0000-4000-8000-000000000000', '/nothing', '/errors'])
    await walkAt(path);
  for (const path of ['/guide/integrate.md', '/guide/examples/node/calls.mjs']) await walkAt(path);
  await walkAt('/guide/clients.md', async () => {
    await page.locator('#search').fill('webhook');
    await page.locator('#found a').first().waitFor();
  });
  await walkAt('/docs', async () => {
    await page.locator('.opblock-post .opblock-summary-control').first().click();
    await page.locator('.opblock summary').first().waitFor();
  });
  expect(problems).toStrictEqual({});
});

it.each(['en-GB', 'fr-FR'])(
  'the keyboard alone reaches each control of a payment page in %s',
  async (lang) => {
    const { page } = await givenVisitor(sandbox.browser, { locale: lang });
    const { redirectUrl } = await sandbox.createCart({ redirectURL: sandbox.merchant.baseUrl }, lang);
    const act = (action: string) =>
      fetch(redirectUrl, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });
    const problems: string[] = [];
    for (const action of ['decline', 'expire', 'pay_late', 'refund']) {
      await page.goto(redirectUrl);
      problems.push(...(await walk(page)));
      await page.goto(redirectUrl);
      await page.locator('.controls summary').click();
      problems.push(...(await walk(page)));
      await act(action);
    }
    await page.goto(redirectUrl);
    problems.push(...(await walk(page)));
    expect(problems).toStrictEqual([]);
  },
);
