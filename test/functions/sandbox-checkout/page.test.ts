import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Cart } from '../../../lib/carts/cart.ts';
import { TRANSLATIONS } from '../../../lib/sandbox/translations.ts';
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts';
import { BUYER } from '../../support/secrets.ts';
import { givenSandbox, offeredActions, textOf, type TestSandbox } from './sandbox.ts';

const MORE = ['pay_late', 'pay_twice', 'out_of_order', 'wrong_amount'];

let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await givenSandbox();
});

describe('every page of a cart', () => {
  it('shows what is bought, for how much and by whom', async () => {
    const text = textOf(await sandbox.show(await sandbox.givenCart()));
    for (const shown of ['Course', '€19.99', BUYER.email, BUYER.firstName, BUYER.lastName, BUYER.phone])
      expect(text).toContain(shown);
    expect(text).toContain('Test mode: no money moves.');
  });

  it('says nothing of what was not given, and nothing of the store, its product id or the meta', async () => {
    const text = textOf(await sandbox.show(await sandbox.givenCart({ customerInfo: {} })));
    for (const absent of ['Name', 'E-mail', 'Phone', 'undefined', 'store-1', 'A-1', 'fingerprint'])
      expect(text).not.toContain(absent);
  });

  it('is found by an id in either case', async () => {
    expect((await sandbox.show((await sandbox.givenCart()).toUpperCase())).status).toBe(200);
  });

  it('is a few kilobytes', async () => {
    const { body } = await sandbox.show(await sandbox.givenCart());
    expect(Buffer.byteLength(body)).toBeLessThan(8 * 1_024);
  });

  it('has exactly these headers, and no script, no style but the one that its policy names', async () => {
    const answer = await sandbox.show(await sandbox.givenCart());
    const [, style = ''] = /<style>(.*)<\/style>/s.exec(answer.body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(answer.headers).toStrictEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-language': 'en',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' https:`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(answer.body).not.toMatch(/<script|<link|<img|\sstyle=|\son\w+=|src=/i);
  });

  it('lets its form lead to the page alone where the merchant gave no address', async () => {
    const { headers } = await sandbox.show(await sandbox.givenCart({ redirectUrl: undefined }));
    expect(headers['content-security-policy']).toMatch(/; form-action 'self'$/);
  });

  it('names no address of its own, so that it works under any prefix', async () => {
    const { body } = await sandbox.show(await sandbox.givenCart());
    expect(body).toContain('<form method="post">');
    expect(body).not.toContain('/sandbox');
  });
});

describe('a waiting cart', () => {
  it('offers every action, the rarer ones each with a sentence', async () => {
    const answer = await sandbox.show(await sandbox.givenCart());
    expect(offeredActions(answer)).toStrictEqual(['pay', 'decline', 'leave', ...MORE]);
    for (const action of MORE) {
      expect(answer.body).toContain(`aria-describedby="${action}"`);
      expect(answer.body).toMatch(new RegExp(`<p id="${action}">[^<]+\\.</p>`));
    }
    expect(textOf(answer)).toContain('Waiting for payment');
    expect(textOf(answer)).toContain('Open until January 16, 2026 at 12:30 PM UTC');
  });
});

describe('a cart whose payment failed', () => {
  it('says so and offers every action again', async () => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=decline');
    const answer = await sandbox.show(id);
    expect(textOf(answer)).toContain('Payment failed');
    expect(textOf(answer)).not.toContain('Open until');
    expect(offeredActions(answer)).toStrictEqual(['pay', 'decline', 'leave', ...MORE]);
  });
});

describe('an expired cart', () => {
  it('says so and since when, and is paid late only', async () => {
    const aging = await givenSandbox();
    const id = await aging.givenCart();
    aging.clock.advance(86_400);
    const answer = await aging.show(id);
    expect(textOf(answer)).toContain('Expired on January 16, 2026 at 12:30 PM UTC');
    expect(offeredActions(answer)).toStrictEqual(['leave', ...MORE]);
  });
});

describe('a completed cart', () => {
  const givenPaidCart = async (action: string, changes?: Partial<Cart>): Promise<string> => {
    const id = await sandbox.givenCart(changes);
    await sandbox.submit(id, `action=${action}`);
    return id;
  };

  it('shows its receipt and the way back, and offers nothing', async () => {
    const id = await givenPaidCart('pay');
    const answer = await sandbox.show(id);
    const { paymentId } = await sandbox.stored(id);
    expect(textOf(answer)).toContain(`Paid on January 15, 2026 at 12:30 PM UTC Payment id ${paymentId}`);
    expect(textOf(answer)).not.toContain('Late');
    expect(answer.body).toContain(
      `href="https://shop.example/thanks?cartId=${id}&amp;status=completed">Back to the merchant</a>`,
    );
    expect(answer.body).not.toMatch(/<form|<button/);
  });

  it('is marked where the payment was late', async () => {
    const answer = await sandbox.show(await givenPaidCart('pay_late'));
    expect(textOf(answer)).toContain('Late');
    expect(textOf(answer)).toContain('Paid on January 16, 2026 at 12:31 PM UTC');
  });

  it('has no way back where the merchant gave no address', async () => {
    const { body } = await sandbox.show(await givenPaidCart('pay', { redirectUrl: undefined }));
    expect(body).not.toContain('<a ');
  });
});

describe('the text of a page', () => {
  const { buttons, effects, more, notices, statuses, late } = TRANSLATIONS.en;
  const BOUGHT_BY_NOBODY = 'Course €19.99';
  const BOUGHT = `${BOUGHT_BY_NOBODY} Name ${BUYER.firstName} ${BUYER.lastName} E-mail ${BUYER.email} Phone ${BUYER.phone}`;
  const OTHERS = `${more} ${(['pay_late', 'pay_twice', 'out_of_order', 'wrong_amount'] as const)
    .map((action) => `${buttons[action]} ${effects[action]}`)
    .join(' ')}`;
  const ACTIONS = `Pay €19.99 Decline Walk away ${OTHERS}`;
  const RECEIPT = 'Paid on January 15, 2026 at 12:30 PM UTC Payment id payment-1';
  const paid = { status: 'completed', paymentId: 'payment-1' } as const;
  const { waiting_payment: waiting, payment_failed: failed, abandoned, completed } = statuses;
  const openUntil = 'Open until January 16, 2026 at 12:30 PM UTC';

  const PAGES: Readonly<
    Record<string, { cart: Partial<Cart>; notice?: string; heading: string; text: string[] }>
  > = {
    'a waiting cart': {
      cart: {},
      heading: waiting.heading,
      text: [BOUGHT, openUntil, 'Payment', waiting.heading, waiting.text, ACTIONS],
    },
    'a cart of nobody, with a notice': {
      cart: { customerInfo: {} },
      notice: 'left',
      heading: waiting.heading,
      text: [BOUGHT_BY_NOBODY, openUntil, 'Payment', waiting.heading, waiting.text, notices.left, ACTIONS],
    },
    'a cart of half a name': {
      cart: { customerInfo: { lastName: 'Byron' } },
      heading: waiting.heading,
      text: [`${BOUGHT_BY_NOBODY} Name Byron`, openUntil, 'Payment', waiting.heading, waiting.text, ACTIONS],
    },
    'a cart whose payment failed': {
      cart: { status: 'payment_failed' },
      heading: failed.heading,
      text: [BOUGHT, 'Payment', failed.heading, failed.text, ACTIONS],
    },
    'an expired cart': {
      cart: { expiresAtMs: Date.UTC(2026, 0, 15, 12, 29) },
      heading: abandoned.heading,
      text: [
        BOUGHT,
        'Expired on January 15, 2026 at 12:29 PM UTC',
        'Payment',
        abandoned.heading,
        abandoned.text,
        'Walk away',
        OTHERS,
      ],
    },
    'a completed cart, whatever the notice': {
      cart: paid,
      notice: 'left',
      heading: completed.heading,
      text: [BOUGHT, 'Receipt', completed.heading, completed.text, RECEIPT, 'Back to the merchant'],
    },
    'a cart completed late, with no way back': {
      cart: { ...paid, latePayment: true, redirectUrl: undefined },
      heading: completed.heading,
      text: [BOUGHT, 'Receipt', completed.heading, late.heading, completed.text, late.text, RECEIPT],
    },
  };

  it.each(Object.entries(PAGES))(
    'is this and nothing more: %s',
    async (_what, { cart, notice, heading, text }) => {
      const id = await sandbox.givenCart(cart);
      const answer = await sandbox.show(id, { query: notice === undefined ? {} : { notice } });
      expect(textOf(answer)).toBe(
        [`${heading} – Test checkout Test mode: no money moves.`, ...text, `Cart ${id}`].join(' '),
      );
      expect(answer.body).toContain(`<footer>Cart <code>${id}</code></footer>`);
    },
  );
});

describe('the language', () => {
  const show = async (lang: string | undefined, changes: Partial<Cart> = {}) =>
    sandbox.show(await sandbox.givenCart({ customerInfo: { lang }, ...changes }));

  it.each([
    ['fr-FR', 'fr', '19,99\u00A0€'],
    ['fr-CA', 'fr', '19,99\u00A0€'],
    ['en-GB', 'en', '€19.99'],
    ['de-DE', 'en', '19,99\u00A0€'],
    ['frr-DE', 'en', '€19.99'],
    ['xx-999', 'en', '€19.99'],
    ['not a locale', 'en', '€19.99'],
    [undefined, 'en', '€19.99'],
  ])("of %s is %s, and the amount is written the buyer's way", async (lang, language, amount) => {
    const { headers, body } = await show(lang);
    expect(headers['content-language']).toBe(language);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(amount);
  });

  it.each([
    ['FR-ca', '<bdi lang="fr-CA">19,99\u00A0€</bdi>'],
    ['de-DE', '<bdi lang="de-DE">19,99\u00A0€</bdi>'],
    ['not a locale', '<bdi>€19.99</bdi>'],
    [undefined, '<bdi>€19.99</bdi>'],
  ])("of the amount is told where it is known, as it need not be the page's: %s", async (lang, amount) => {
    const { body } = await show(lang);
    expect(body.split(amount)).toHaveLength(3);
  });

  it.each([
    [{ amount: 999_999_999, currency: 'JPY' }, 'amount'],
    [{ amount: 9_999_999.99, currency: 'EUR' }, 'long amount'],
  ])('leaves an amount large up to 12 characters: %j', async (price, className) => {
    expect((await show('en-US', { price })).body).toContain(`<p class="${className}"><bdi`);
  });

  it.each([
    [{ amount: 1_500, currency: 'JPY' }, '¥1,500<'],
    [{ amount: 1.5, currency: 'IQD' }, 'IQD\u00A01.500<'],
    [{ amount: 1_234.5, currency: 'EUR' }, '€1,234.50<'],
    [{ amount: 9_999_999_999_999.99, currency: 'EUR' }, '€9,999,999,999,999.99<'],
  ])('never rounds an amount: %j', async (price, text) => {
    expect((await show('en-US', { price })).body).toContain(text);
  });
});

describe('a notice', () => {
  it.each([
    ['wrong_amount', 'its amount is not the cart’s'],
    ['too_many_payments', 'too many payments'],
    ['left', 'You walked away'],
  ])('tells what came of the last action: %s', async (notice, text) => {
    const answer = await sandbox.show(await sandbox.givenCart(), { query: { notice } });
    expect(textOf(answer)).toContain(text);
  });

  it.each(['other', 'constructor', '<script>'])('is none that the page does not know: %s', async (notice) => {
    const id = await sandbox.givenCart();
    const { body } = await sandbox.show(id, { query: { notice } });
    expect(body).toBe((await sandbox.show(id)).body);
  });
});

describe('what others wrote', () => {
  it.each(Object.entries(HOSTILE_TEXTS))('stands on the page as text: %s', async (_kind, text) => {
    const { body } = await sandbox.show(
      await sandbox.givenCart({
        productName: text,
        customerInfo: { firstName: text, lastName: text, email: text, phone: text, lang: text },
        meta: { [text]: text },
      }),
    );
    const plain = await sandbox.show(
      await sandbox.givenCart({ customerInfo: { firstName: 'a', lastName: 'b', email: 'c', phone: 'd' } }),
    );
    const tags = (page: string): string[] => page.match(/<[^>]*>/g) ?? [];
    expect(tags(body)).toStrictEqual(tags(plain.body));
    expect(body.match(/<bdi>/g)).toHaveLength(7);
  });
});
