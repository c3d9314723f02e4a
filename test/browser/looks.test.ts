import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startSandbox } from './support/sandbox.ts';
import { expectNoOverflow, givenVisitor, VIEWPORTS } from './support/visitor.ts';

const SCREENSHOTS = join(import.meta.dirname, '../../.local/screenshots');

const sandbox = await startSandbox();

/** Takes an action by a card or a scenario of the page, then opens the page again. */
const submit = async (page: Page, address: string, action: string, query = ''): Promise<void> => {
  await page.goto(address);
  if (action === 'pay' || action === 'decline') {
    await page.locator(`input[value=${action}]`).check();
    await page.locator('#pay').click();
  } else {
    await page.locator('.controls summary').click();
    await page.locator(`button[value=${action}]`).click();
  }
  await page.goto(`${address}${query}`);
};

/** Brings a cart into each state and opens its page. */
const STATES: Readonly<Record<string, (page: Page, address: string) => Promise<unknown>>> = {
  waiting: (page, address) => page.goto(address),
  scenarios: async (page, address) => {
    await page.goto(address);
    await page.locator('.controls summary').click();
  },
  left: (page, address) => page.goto(`${address}?notice=left`),
  failed: (page, address) => submit(page, address, 'decline'),
  completed: (page, address) => submit(page, address, 'pay'),
  late: (page, address) => submit(page, address, 'pay_late'),
  refunded: async (page, address) => {
    await submit(page, address, 'pay');
    await submit(page, address, 'refund');
  },
  'wrong-amount': (page, address) => submit(page, address, 'wrong_amount', '?notice=wrong_amount'),
  expired: (page, address) => submit(page, address, 'expire'),
  missing: (page, address) => page.goto(`${address}0`),
};

/** Further widths: a small phone, and a tablet. */
const WIDTHS = [320, 768] as const;

/** Together, these cover every pair of values. */
const CASES = [
  { window: 'phone', scheme: 'light', lang: 'en-GB' },
  { window: 'phone', scheme: 'dark', lang: 'fr-FR' },
  { window: 'desktop', scheme: 'light', lang: 'fr-FR' },
  { window: 'desktop', scheme: 'dark', lang: 'en-GB' },
] as const;

describe.each(CASES)('on a $window, $scheme, in $lang', ({ window, scheme, lang }) => {
  it.each(Object.keys(STATES))('the page is accessible and fits: %s', async (state) => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, {
      viewport: VIEWPORTS[window],
      colorScheme: scheme,
      locale: lang,
    });
    const { redirectUrl } = await sandbox.createCart({ redirectURL: sandbox.merchant.baseUrl }, lang);
    await STATES[state]?.(page, redirectUrl);
    await page.screenshot({
      path: join(SCREENSHOTS, `${state}-${window}-${scheme}-${lang.slice(0, 2)}.png`),
      fullPage: true,
    });
    await expectNoOverflow(page);
    await expectAccessible(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoOverflow(page);
    }
    if (state !== 'missing') expectNoIssues();
  });
});
