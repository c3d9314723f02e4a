import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A phone and a desktop window. */
export const VIEWPORTS = {
  phone: { width: 375, height: 812 },
  desktop: { width: 1_280, height: 900 },
} as const;

interface VisitorOptions extends BrowserContextOptions {
  /** An address from which the page may load scripts and data. By default, it may load nothing. */
  readonly origin?: string;
}

/** Opens a page in a browser context of its own, which closes at the end of the test. */
export const givenVisitor = async (browser: Browser, { origin, ...options }: VisitorOptions = {}) => {
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const issues: string[] = [];
  page.on('pageerror', (error) => issues.push(`script: ${error.message}`));
  // Chromium reports violations of the Content Security Policy here.
  page.on('console', (message) => issues.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    const isOwn = origin !== undefined && request.url().startsWith(`${origin}/`);
    if (request.resourceType() !== 'document' && !isOwn) issues.push(`request: ${request.url()}`);
  });
  return { page, expectNoIssues: () => expect(issues).toStrictEqual([]) };
};

/** Further than a machine stalls: Playwright can only stop a clock that has not passed the time. */
const AHEAD_MS = 60_000;

/** Stops the installed clock of a page. Its timers then run in `page.clock.runFor` only: also those of axe. */
export const stopClock = (page: Page): Promise<void> => page.clock.pauseAt(Date.now() + AHEAD_MS);

/** Creates a test cart on the dashboard. Returns its payment page, which opens beside it. */
export const createCartOn = async (page: Page): Promise<Page> => {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Create a test cart' }).click();
  return opened;
};

/** Expects content that is no wider than the window. */
export const expectNoOverflow = async (page: Page): Promise<void> => {
  const widths = await page.evaluate(
    '({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })',
  );
  const { content, window } = widths as { content: number; window: number };
  expect(content, 'width of the content').toBeLessThanOrEqual(window);
};
