import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { BUYER } from '../support/secrets.ts';
import { startSandbox } from './support/sandbox.ts';
import { expectNoOverflow, givenVisitor, VIEWPORTS } from './support/visitor.ts';

const sandbox = await startSandbox();

/** The texts of merchants and buyers on the page. */
const isolatedTexts = (page: Page): Promise<string[]> =>
  page.locator('.summary bdi:not(.back *)').allTextContents();

/** The characters of a text in the order in which their glyphs appear, from left to right. */
const seenOrder = async (page: Page, selector: string): Promise<string> => {
  const seen = await page.evaluate(`(() => {
    const text = document.querySelector(${JSON.stringify(selector)}).firstChild;
    const range = document.createRange();
    return [...text.data].map((character, index) => {
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return { character, left: range.getBoundingClientRect().left };
    }).sort((a, b) => a.left - b.left).map(({ character }) => character).join('');
  })()`);
  return String(seen);
};

/** Screenshots of the labels between the texts. */
const pictures = async (page: Page): Promise<string[]> => {
  const parts = await page.locator('.label, dt').all();
  const images = [];
  for (const part of parts) images.push((await part.screenshot()).toString('base64'));
  return images;
};

describe.each(Object.entries(VIEWPORTS))('on a %s', (_window, viewport) => {
  it.each(Object.entries(HOSTILE_TEXTS))('%s changes neither layout nor meaning', async (_kind, text) => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { viewport });
    const address = await sandbox.putCart({
      storeId: await sandbox.putStore(text),
      productName: text,
      customerInfo: {
        firstName: text,
        lastName: 'Quackenbush',
        email: `buyer@${text}`,
        phone: `1234${text}`,
      },
      meta: { [text.slice(0, 40)]: text },
      returnUrl: `${sandbox.merchant.baseUrl}/thanks`,
    });
    const plainAddress = await sandbox.putCart({ customerInfo: { ...BUYER, lang: 'en-US' } });
    await page.goto(plainAddress);
    const plainPictures = await pictures(page);
    await page.goto(address);
    await expectNoOverflow(page);
    const isSame = (await pictures(page)).map((picture, index) => picture === plainPictures[index]);
    expect(isSame).toStrictEqual(Array.from({ length: 6 }, () => true));
    const [store, product, amount, firstName, lastName, email, phone] = await isolatedTexts(page);
    const masked = [`b•••@${text}`, `•••${/..$/su.exec(text)?.[0]}`];
    expect([product, store, firstName, email, phone]).toStrictEqual([text, text, text, ...masked]);
    expect([amount, lastName]).toStrictEqual(['€19.99', 'Quackenbush']);
    expect(await seenOrder(page, 'dd bdi + bdi')).toBe('Quackenbush');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    const labels = await page.locator('dt').allTextContents();
    expect(labels).toStrictEqual(['Name', 'E-mail', 'Phone', 'Pay by']);
    expect(await page.title()).toBe('Payment – Test checkout');
    expect(await page.locator('main script, main img, [onfocus]').count()).toBe(0);
    await page.locator('#pay').click();
    await page.goto(address);
    expect(await page.getByRole('status').textContent()).toContain('Paid');
    expect(await page.getByRole('link').locator('bdi').textContent()).toBe(text);
    await expectNoOverflow(page);
    expectNoIssues();
    await page.goto(address.replace('/sandbox/checkout/', '/carts/'));
    await expectNoOverflow(page);
    expect(await page.locator('main script, main img, [onfocus]').count()).toBe(0);
  });

  it('a hostile return address stays a return address', async () => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { viewport });
    const host = new URL(sandbox.merchant.baseUrl).host;
    const address = await sandbox.putCart({
      returnUrl: `http://${host}/"><script>alert(1)</script>?a='b;&c=<${randomUUID()}>#" onclick="`,
    });
    await page.goto(address);
    await page.locator('#pay').click();
    expect(new URL(page.url()).host).toBe(host);
    expect(new URL(page.url()).searchParams.get('status')).toBe('completed');
    await page.goto(address);
    await page.getByRole('link').click();
    expect(new URL(page.url()).host).toBe(host);
    expectNoIssues();
  });
});
