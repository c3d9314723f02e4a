import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startSandbox } from './support/sandbox.ts';
import { expectNoOverflow, givenVisitor, VIEWPORTS } from './support/visitor.ts';

const SCREENSHOTS = join(import.meta.dirname, '../../.local/screenshots');

mkdirSync(SCREENSHOTS, { recursive: true });
const sandbox = await startSandbox();

/** Presses the button of an action, then opens the page again. */
const submit = async (page: Page, address: string, action: string, query = ''): Promise<void> => {
  await page.goto(address);
  const button = page.locator(`button[value=${action}]`);
  if (!(await button.isVisible())) await page.locator('summary').click();
  await button.click();
  await page.goto(`${address}${query}`);
};

/** Brings a cart into each state and opens its page. */
const STATES: Readonly<Record<string, (page: Page, address: string) => Promise<unknown>>> = {
  waiting: (page, address) => page.goto(address),
  more: async (page, address) => {
    await page.goto(address);
    await page.locator('summary').click();
  },
  failed: (page, address) => submit(page, address, 'decline'),
  completed: (page, address) => submit(page, address, 'pay'),
  late: (page, address) => submit(page, address, 'pay_late'),
  'wrong-amount': (page, address) => submit(page, address, 'wrong_amount', '?notice=wrong_amount'),
  expired: async (page, address) => {
    await sandbox.advanceClock(25 * 3_600);
    await page.goto(address);
    await sandbox.advanceClock(0);
  },
  missing: (page, address) => page.goto(`${address}0`),
};

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
    if (state !== 'missing') expectNoIssues();
  });
});
