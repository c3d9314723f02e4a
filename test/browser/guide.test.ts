import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { startSandbox } from './support/sandbox.ts';
import { expectNoOverflow, givenVisitor, VIEWPORTS } from './support/visitor.ts';

const sandbox = await startSandbox();
const { baseUrl: origin } = sandbox;

const CLIPBOARD = ['clipboard-read', 'clipboard-write'];

it.each([
  ['contract.md', 'phone'],
  ['contract.md', 'desktop'],
  ['event-types.md', 'phone'],
  ['runbook.md', 'phone'],
  ['examples/python/webhooks.py', 'phone'],
] as const)(
  'the page %s is accessible and fits a %s, and the policy allows all of it',
  async (path, window) => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, {
      origin,
      viewport: VIEWPORTS[window],
      colorScheme: window === 'phone' ? 'dark' : 'light',
    });
    await page.goto(`${origin}/guide/${path}`);
    await expectNoOverflow(page);
    await expectAccessible(page);
    expectNoIssues();
  },
);

it('the language of the samples is remembered on every page, and by keyboard', async () => {
  const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/guide/integrate.md`);
  await page.locator('input[name=sample-create][value=curl]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const shown = page.locator('.panel:visible');
  const languages = () =>
    shown.evaluateAll((panels) => panels.map((panel) => panel.getAttribute('data-language')));
  expect(new Set(await languages())).toStrictEqual(new Set(['python']));
  await page.reload();
  expect(await languages()).toStrictEqual(Array(5).fill('python'));
  expect(await shown.first().innerText()).toContain('client.create_cart(');
  expectNoIssues();
});

it('the search finds a section by words of its text, leads there, and Escape ends it', async () => {
  const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/guide/clients.md`);
  const box = page.getByRole('searchbox', { name: 'Search the guide' });
  await box.pressSequentially('constant time');
  const result = page.locator('#found a', { hasText: 'Integrate: Webhooks' });
  await result.waitFor();
  expect(await result.locator('mark').innerText()).toBe('constant');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  expect(await page.locator('#found a').count()).toBe(0);
  await box.fill('zebra');
  await page.getByText('Nothing found').waitFor();
  await box.fill('constant time');
  await result.click();
  expect(page.url()).toBe(`${origin}/guide/integrate.md#webhooks`);
  expectNoIssues();
});

it('a page is copied as Markdown, and the address of a section with its sign', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin, permissions: CLIPBOARD });
  await page.goto(`${origin}/guide/events.md`);
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  expect(await clipboard()).toBe(
    readFileSync('docs/events.md', 'utf8').replaceAll('http://127.0.0.1:3000', origin),
  );
  await page.locator('#the-feed').getByRole('link').click();
  await expect.poll(clipboard).toBe(`${origin}/guide/events.md#the-feed`);
});

it('the contents mark the section in view', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin });
  await page.goto(`${origin}/guide/integrate.md#6-rate-limits`);
  const marked = page.locator('.contents [aria-current=location]');
  await expect.poll(() => marked.allInnerTexts()).toStrictEqual(['6. Rate limits']);
});

it('on a phone, each row of a wide table is a list whose terms are the columns, and no name breaks', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin, viewport: { width: 390, height: 844 } });
  await page.goto(`${origin}/guide/contract.md`);
  const meaning = page.locator('td[data-label=Meaning]', { hasText: 'Where the buyer returns' });
  const { width } = (await meaning.boundingBox())!;
  expect(width).toBeGreaterThan(300);
  const term = await page.evaluate(
    `getComputedStyle(document.querySelector('td[data-label=Meaning]'), '::before').content`,
  );
  expect(term).toBe('"Meaning"');
  const broken = await page
    .locator('code.token')
    .evaluateAll((names) =>
      names.filter((name) => name.getClientRects().length > 1).map((name) => name.textContent),
    );
  expect(broken).toStrictEqual([]);
});

it('a button of the guide copies a command without its last line break', async () => {
  const { page } = await givenVisitor(sandbox.browser, {
    origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.goto(`${origin}/guide/integrate.md`);
  await page
    .locator('.panel[data-language=curl]', { hasText: 'order-1001-attempt-1' })
    .getByRole('button')
    .click();
  await expect.poll(() => page.locator('.copied').allInnerTexts()).toContain('Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    new RegExp(`^curl -i ${origin}/api/v1/stores/cart/checkout \\\\\n[^]*'$`),
  );
});

it('the contents of the guide are beside the text in a wide window, and folded on a phone', async () => {
  const { page } = await givenVisitor(sandbox.browser, { origin });
  const section = page.getByRole('link', { name: '2. Retry safely' });
  await page.goto(`${origin}/guide/integrate.md`);
  expect(await section.filter({ visible: true }).count()).toBe(1);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await section.filter({ visible: true }).count()).toBe(0);
  await page.getByText('Contents', { exact: true }).click();
  await section.filter({ visible: true }).click();
  expect(new URL(page.url()).hash).toBe('#2-retry-safely');
});
