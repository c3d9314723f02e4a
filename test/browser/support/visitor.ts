import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A phone and a desktop window. */
export const VIEWPORTS = {
  phone: { width: 375, height: 812 },
  desktop: { width: 1_280, height: 900 },
} as const;

/** Opens a page in a browser context of its own, which closes at the end of the test. */
export const givenVisitor = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ viewport: VIEWPORTS.desktop, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const issues: string[] = [];
  page.on('pageerror', (error) => issues.push(`script: ${error.message}`));
  // Chromium reports violations of the Content Security Policy here.
  page.on('console', (message) => issues.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    if (request.resourceType() !== 'document') issues.push(`request: ${request.url()}`);
  });
  return { page, expectNoIssues: () => expect(issues).toStrictEqual([]) };
};

/** Expects content that is no wider than the window. */
export const expectNoOverflow = async (page: Page): Promise<void> => {
  const widths = await page.evaluate(
    '({ content: document.documentElement.scrollWidth, window: document.documentElement.clientWidth })',
  );
  const { content, window } = widths as { content: number; window: number };
  expect(content, 'width of the content').toBeLessThanOrEqual(window);
};
