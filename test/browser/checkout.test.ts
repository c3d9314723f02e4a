import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startSandbox } from './support/sandbox.ts';
import { givenVisitor, VIEWPORTS } from './support/visitor.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const sandbox = await startSandbox();

/** A cart whose buyer returns to the merchant's page `/thanks`. */
const givenCart = (lang = 'en-GB') =>
  sandbox.createCart({ redirectURL: `${sandbox.merchant.baseUrl}/thanks/{CART_ID}` }, lang);

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name }).click();

/** Opens the scenarios, and presses the button of one. */
const simulate = async (page: Page, name: string): Promise<void> => {
  await page.locator('.controls summary').click();
  await press(page, name);
};

/** Expects the merchant's page, requested once. */
const expectAtMerchant = (page: Page, cartId: string): void => {
  expect(page.url()).toBe(`${sandbox.merchant.baseUrl}/thanks/${cartId}`);
  expect(sandbox.merchant.visits()).toStrictEqual([`/thanks/${cartId}`]);
};

const LANGUAGES = {
  'en-GB': {
    pay: 'Pay €49.90',
    declined: 'The card is declined',
    expire: 'Expire now',
    late: 'Pay late',
    refund: 'Refund',
    wrong: 'Wrong amount',
    failed: 'Payment failed',
    paid: 'Paid',
    expired: 'Expired',
    rejected: 'The payment was rejected because its amount differs from the total.',
    back: 'Back to Demo store one',
  },
  'fr-FR': {
    pay: 'Payer 49,90 €',
    declined: 'La carte est refusée',
    expire: 'Faire expirer',
    late: 'Payer en retard',
    refund: 'Rembourser',
    wrong: 'Montant erroné',
    failed: 'Paiement refusé',
    paid: 'Payé',
    expired: 'Expiré',
    rejected: 'Le paiement a été rejeté, car son montant diffère du total.',
    back: 'Retour chez Demo store one',
  },
} as const;

const CASES = Object.keys(VIEWPORTS).flatMap((window) =>
  Object.keys(LANGUAGES).map((lang) => ({ window, lang })),
) as { window: keyof typeof VIEWPORTS; lang: keyof typeof LANGUAGES }[];

describe.each(CASES)('a buyer on a $window who reads $lang', ({ window, lang }) => {
  const words = LANGUAGES[lang];
  /** A buyer who has opened the page of a new cart. */
  const givenBuyer = async () => {
    const visitor = await givenVisitor(sandbox.browser, { viewport: VIEWPORTS[window] });
    const cart = await givenCart(lang);
    await visitor.page.goto(cart.redirectUrl);
    return { ...visitor, ...cart };
  };
  const expectStatus = async (page: Page, text: string): Promise<void> => {
    expect(await page.getByRole('status').textContent()).toContain(text);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang.slice(0, 2));
  };

  it('pays, returns to the merchant, and the API reports the cart as completed', async () => {
    const { page, id, redirectUrl, expectNoIssues } = await givenBuyer();
    await press(page, words.pay);
    expectAtMerchant(page, id);

    const cart = await sandbox.retrieve(id);
    expect(cart).toMatchObject({ status: 'completed', paymentId: expect.stringMatching(UUID) });
    expect(cart).not.toHaveProperty('latePayment');
    await page.goto(redirectUrl);
    await expectStatus(page, words.paid);
    expect(await page.getByText(String(cart['paymentId'])).count()).toBe(1);
    await page.getByRole('link', { name: words.back }).click();
    expectAtMerchant(page, id);
    expectNoIssues();
  });

  it('is declined and then pays', async () => {
    const { page, id, redirectUrl, expectNoIssues } = await givenBuyer();
    await page.getByRole('radio', { name: words.declined }).check();
    await press(page, words.pay);
    expectAtMerchant(page, id);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'payment_failed' });

    await page.goto(redirectUrl);
    await expectStatus(page, words.failed);
    await press(page, words.pay);
    expectAtMerchant(page, id);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'completed' });
    expectNoIssues();
  });

  it('walks away, and the cart is unchanged', async () => {
    const { page, id, expectNoIssues } = await givenBuyer();
    const before = await sandbox.retrieve(id);
    await page.getByRole('link', { name: words.back }).click();
    expectAtMerchant(page, id);
    expect(await sandbox.retrieve(id)).toStrictEqual(before);
    expectNoIssues();
  });

  it('sees the cart expire, returns to the merchant, and pays late', async () => {
    const { page, id, redirectUrl, expectNoIssues } = await givenBuyer();
    await simulate(page, words.expire);
    expect(page.url()).toBe(redirectUrl);
    await expectStatus(page, words.expired);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'abandoned' });
    expect(await page.getByRole('button', { name: words.expire }).count()).toBe(0);
    await page.getByRole('link', { name: words.back }).click();
    expectAtMerchant(page, id);

    await page.goto(redirectUrl);
    await simulate(page, words.late);
    expectAtMerchant(page, id);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'completed', latePayment: true });
    expectNoIssues();
  });

  it('sees that a wrong amount is rejected, and can still pay', async () => {
    const { page, id, redirectUrl, expectNoIssues } = await givenBuyer();
    await simulate(page, words.wrong);
    expect(page.url()).toBe(`${redirectUrl}?notice=wrong_amount`);
    await expectStatus(page, words.rejected);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'waiting_payment' });

    await press(page, words.pay);
    expectAtMerchant(page, id);
    expectNoIssues();
  });
});

describe('the payment page', () => {
  it('shows the receipt if the merchant gave no return address', async () => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser);
    const { redirectUrl } = await sandbox.createCart();
    await page.goto(redirectUrl);
    await press(page, 'Pay €49.90');
    expect(page.url()).toBe(redirectUrl);
    expect(await page.getByRole('heading', { name: 'Receipt' }).count()).toBe(1);
    expect(await page.getByRole('status').textContent()).toContain('You can close this page.');
    expect(await page.getByRole('link').count()).toBe(0);
    expectNoIssues();
  });

  it.each([
    { timezoneId: 'Asia/Tokyo', scripts: true, text: '3 January 2031 at 04:30' },
    { timezoneId: 'Atlantic/Reykjavik', scripts: true, text: '2 January 2031 at 19:30' },
    { timezoneId: 'Asia/Tokyo', scripts: false, text: '2 January 2031 at 19:30 UTC' },
  ])(
    'shows one time, in the buyer’s zone if scripts run, else in UTC: $timezoneId, $scripts',
    async ({ timezoneId, scripts, text }) => {
      const context = { timezoneId, javaScriptEnabled: scripts };
      const { page, expectNoIssues } = await givenVisitor(sandbox.browser, context);
      const expiresAtMs = Date.UTC(2031, 0, 2, 19, 30);
      await page.goto(await sandbox.putCart({ expiresAtMs, customerInfo: { lang: 'en-GB' } }));
      expect(await page.locator('time').textContent()).toBe(text);
      expectNoIssues();
    },
  );

  it('can be paid without scripts', async () => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { javaScriptEnabled: false });
    const { id, redirectUrl } = await givenCart();
    await page.goto(redirectUrl);
    await press(page, 'Pay €49.90');
    expectAtMerchant(page, id);
    expectNoIssues();
  });

  it('shows that a payment is under way, and sends it once', async () => {
    const { page } = await givenVisitor(sandbox.browser);
    const { id, redirectUrl } = await givenCart();
    // The browser evaluates nothing between the click and the next page, but the page can log.
    await page.addInitScript(`addEventListener('submit', ({ submitter: button }) =>
      new MutationObserver(() => console.log(button.textContent, button.disabled)).observe(button, { childList: true }))`);
    await page.goto(redirectUrl);
    const sent = Promise.withResolvers<void>();
    let forms = 0;
    await page.route(redirectUrl, async (route) => {
      forms += 1;
      await sent.promise;
      await route.continue();
    });
    const changed = page.waitForEvent('console');
    const { x = 0, y = 0 } = (await page.locator('#pay').boundingBox()) ?? {};
    const click = () => page.mouse.click(x + 10, y + 10);
    await click();
    expect((await changed).text()).toBe('Paying… true');
    await click();
    sent.resolve();
    await page.waitForURL(`${sandbox.merchant.baseUrl}/**`);
    expectAtMerchant(page, id);
    expect(forms).toBe(1);
  });

  it('is in the language of the browser if the cart has none', async () => {
    const { page } = await givenVisitor(sandbox.browser, { locale: 'fr-FR' });
    await page.goto(await sandbox.putCart({}));
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    expect(await page.locator('#pay').textContent()).toMatch(/^Payer 19,99\s€$/);
  });

  it('shows that the cart expired, and still accepts a late payment', async () => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser);
    const { id, redirectUrl } = await givenCart();
    await sandbox.advanceClock(25 * 3_600);
    await page.goto(redirectUrl);
    expect(await page.getByRole('status').textContent()).toContain('Expired');
    expect(await page.locator('#pay').count()).toBe(0);
    await simulate(page, 'Pay late');
    expectAtMerchant(page, id);
    await sandbox.advanceClock(0);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'completed', latePayment: true });
    expectNoIssues();
  });
});

describe('a page of another site', () => {
  it.each(['baseUrl', 'otherUrl'] as const)('cannot pay in the name of the buyer: %s', async (site) => {
    const { page } = await givenVisitor(sandbox.browser);
    const { id, redirectUrl } = await givenCart();
    await page.goto(`${sandbox.merchant[site]}/shop`);
    await page.evaluate(`(() => {
      const form = document.body.appendChild(document.createElement('form'));
      form.innerHTML = '<button name="action" value="pay">Continue</button>';
      Object.assign(form, { method: 'post', action: ${JSON.stringify(redirectUrl)} });
    })()`);
    await press(page, 'Continue');
    expect(await page.getByRole('heading').textContent()).toBe('Blocked');
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'waiting_payment' });

    await page.getByRole('link', { name: 'Back to the checkout' }).click();
    sandbox.merchant.visits();
    await press(page, LANGUAGES['en-GB'].pay);
    expectAtMerchant(page, id);
    expect(await sandbox.retrieve(id)).toMatchObject({ status: 'completed' });
  });
});

describe('a merchant whose return address redirects to another host', () => {
  it('gets the buyer on that host', async () => {
    const { page, expectNoIssues } = await givenVisitor(sandbox.browser, { viewport: VIEWPORTS.phone });
    const { merchant } = sandbox;
    const { redirectUrl } = await sandbox.createCart(
      { redirectURL: `${merchant.baseUrl}/moved/{CART_ID}` },
      'en-GB',
    );
    await page.goto(redirectUrl);
    await press(page, LANGUAGES['en-GB'].pay);
    expect(page.url()).toMatch(merchant.otherUrl);
    expectNoIssues();
  });
});
