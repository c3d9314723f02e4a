import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A phone and a desktop window. */
export const VIEWPORTS = {
  phone: { width: 375, height: 812 },
  desktop: { width: 1_280, height: 900 },
} as const;

/** A page in a browser of its own, and what went wrong on it. */
export interface Visitor {
  readonly page: Page;
  /** Expects that there was no script error, no refusal by the security policy and nothing on the console. */
  expectNoIssues(): void;
}

/** Opens a browser as a buyer has it, until the test is over. */
export const givenVisitor = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> => {
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  // Where Chromium reports what a Content Security Policy refuses.
  page.on('console', (message) => faults.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    if (request.resourceType() !== 'document') faults.push(`request: ${request.url()}`);
  });
  return { page, expectNoIssues: () => expect(faults).toStrictEqual([]) };
};

/** Expects that nothing is wider than the window. */
export const expectNoOverflow = async (page: Page): Promise<void> => {
  const widths = await page.evaluate(
    '({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })',
  );
  const { content, window } = widths as { content: number; window: number };
  expect(content, 'width of the content').toBeLessThanOrEqual(window);
};
