import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestControl } from '../../../functions/sandbox-checkout/actions.ts';
import { TRANSLATIONS } from '../../../functions/sandbox-checkout/texts/translations.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { refund } from '../../support/domain/payments.ts';
import { BUYER } from '../../support/secrets.ts';
import { givenSandbox, offeredActions, textOf, type PageResponse } from './sandbox.ts';

const LATE = ['pay_late', 'pay_twice', 'out_of_order', 'wrong_amount'] as const;
const CONTROLS = ['expire', ...LATE] as const;

const sandbox = await givenSandbox();

/** The page of a new cart. */
const showCart = async (changes: Partial<Cart> = {}): Promise<PageResponse> =>
  sandbox.show(await sandbox.givenCart(changes));

describe('every page of a cart', () => {
  it.each([
    ['en-US', 'Sold by Ada’s Courses'],
    ['fr-FR', 'Vendu par Ada’s Courses'],
  ])('names the store, in the language of the page: %s', async (lang, text) => {
    await sandbox.stores.put({ id: 'store-ada', name: 'Ada’s Courses', createdAtMs: 0 });
    expect(textOf(await showCart({ storeId: 'store-ada', customerInfo: { lang } }))).toContain(text);
  });

  it('is found by an id in either case', async () => {
    expect((await sandbox.show((await sandbox.givenCart()).toUpperCase())).status).toBe(200);
  });

  it('fits in the first flight of TCP, with its headers: ten segments (RFC 6928)', async () => {
    expect(Buffer.byteLength((await showCart()).body)).toBeLessThan(10 * 1_024);
  });

  it('has exactly these headers, and only the style and the script that its policy names', async () => {
    const { headers, body } = await showCart();
    const [, style = '', rest = ''] = /<style>(.*?)<\/style>(.*)/s.exec(body) ?? [];
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(rest) ?? [];
    const [styleHash, scriptHash] = [style, script].map(
      (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
    );
    expect(headers).toStrictEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-language': 'en',
      'content-security-policy': `default-src 'none'; script-src ${scriptHash}; style-src ${styleHash}; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' https:`,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(body.split('<script')).toHaveLength(2);
    expect(body).not.toMatch(/<link (?!rel="icon" href="data:)|<img|\sstyle=|\son\w+=|src=/i);
  });

  it('submits its form to itself only if the merchant gave no return address', async () => {
    const { headers } = await showCart({ returnUrl: undefined });
    expect(headers['content-security-policy']).toMatch(/; form-action 'self'$/);
  });

  it("contains neither the buyer's e-mail address nor phone number", async () => {
    const id = await sandbox.givenCart();
    const before = await sandbox.show(id);
    await sandbox.submit(id, 'action=pay');
    for (const { body } of [before, await sandbox.show(id)]) {
      const unspaced = body.replaceAll(/\s/g, '');
      for (const part of [BUYER.email.split('@')[0]!, BUYER.phone.replaceAll(' ', '')])
        expect(unspaced).not.toContain(part);
    }
  });

  it('works under any prefix: it contains no absolute path', async () => {
    const { body } = await showCart();
    expect(body).toContain('<form method="post">');
    expect(body).not.toContain('/sandbox');
  });

  it('explains each test control', async () => {
    const { body } = await showCart();
    for (const action of CONTROLS) {
      expect(body).toContain(`aria-describedby="${action}"`);
      expect(body).toMatch(new RegExp(`<p id="${action}">[^<]+\\.</p>`));
    }
  });

  it('links a completed cart back to the merchant', async () => {
    const id = await sandbox.givenCart();
    await sandbox.submit(id, 'action=pay');
    const page = await sandbox.show(id);
    expect(page.body).toContain(
      `href="https://shop.example/thanks?cartId=${id}&amp;status=completed"><span>Back to <bdi>store-1</bdi></span></a>`,
    );
    expect(textOf(page)).toContain(`Payment reference ${(await sandbox.stored(id)).paymentId}`);
  });
});

describe('the page', () => {
  const { buttons, effects, controls, notices, statuses, late, cards, canClose, ...texts } = TRANSLATIONS.en;
  const ANONYMOUS = 'Sold by store-1 Course Total €19.99';
  const BOUGHT = `${ANONYMOUS} Name ${BUYER.firstName} ${BUYER.lastName} E-mail z•••@buyer.example Phone •••73`;
  const panelOf = (actions: readonly TestControl[], introduction: string = controls.beforePayment): string =>
    [
      controls.heading,
      introduction,
      controls.hidden,
      ...actions.map((action) => `${buttons[action]} ${effects[action]}`),
    ].join(' ');
  const CARDS = `Test card 4242 4242 4242 4242 ${cards.pay} 4000 0000 0000 0002 ${cards.decline}`;
  const BUYERS = `${CARDS} Pay €19.99`;
  const BUTTONS = `${BUYERS} ${panelOf(CONTROLS)}`;
  const REFUND = panelOf(['refund'], controls.afterPayment);
  const BUYERS_ACTIONS = ['pay', 'decline'];
  const EVERY_ACTION = [...BUYERS_ACTIONS, ...CONTROLS];
  const BACK = 'Back to store-1';
  const PAID_ON = 'Paid on January 15, 2026 at 12:30 PM UTC';
  const REFERENCE = 'Payment reference payment-1';
  const RECEIPT = `${PAID_ON} ${REFERENCE}`;
  const REFUNDED_ON = 'Refunded on January 15, 2026 at 12:32 PM UTC';
  const paid = { status: 'completed', paymentId: 'payment-1' } as const;
  const { payment_failed: failed, abandoned, completed } = statuses;
  const THANKS = `Receipt ${completed.heading} ${completed.text}`;
  const EXPIRED_AT_MS = Date.UTC(2026, 0, 15, 12, 29);
  const START_AGAIN = 'This checkout has expired. Start again at store-1 .';
  const EXPIRED_ON = 'Expired on January 15, 2026 at 12:29 PM UTC';
  const openUntil = 'Pay by January 16, 2026 at 12:30 PM UTC';

  interface Page {
    readonly cart: Partial<Cart>;
    readonly notice?: string;
    readonly heading: string;
    readonly text: readonly string[];
    readonly actions: readonly string[];
  }

  const PAGES: Readonly<Record<string, Page>> = {
    'a waiting cart': {
      cart: {},
      heading: 'Payment',
      text: [BACK, BOUGHT, openUntil, 'Payment', BUTTONS],
      actions: EVERY_ACTION,
    },
    'a cart without a buyer, with a notice': {
      cart: { customerInfo: {} },
      notice: 'left',
      heading: 'Payment',
      text: [BACK, ANONYMOUS, openUntil, 'Payment', notices.left, BUTTONS],
      actions: EVERY_ACTION,
    },
    'a cart with half a name, without a return address': {
      cart: { customerInfo: { lastName: 'Byron' }, returnUrl: undefined },
      heading: 'Payment',
      text: [`${ANONYMOUS} Name Byron`, openUntil, 'Payment', BUTTONS],
      actions: EVERY_ACTION,
    },
    'a cart whose payment failed': {
      cart: { status: 'payment_failed' },
      heading: failed.heading,
      text: [BACK, BOUGHT, 'Payment', failed.heading, failed.text, BUYERS, panelOf(LATE)],
      actions: [...BUYERS_ACTIONS, ...LATE],
    },
    'a cart whose card was declined': {
      cart: { status: 'payment_failed', failureReason: 'card_declined' },
      heading: failed.heading,
      text: [BACK, BOUGHT, 'Payment', failed.heading, texts.cardDeclined, BUYERS, panelOf(LATE)],
      actions: [...BUYERS_ACTIONS, ...LATE],
    },
    'a cart whose payment failed for another reason': {
      cart: { status: 'payment_failed', failureReason: 'expired_card' },
      heading: failed.heading,
      text: [
        BACK,
        BOUGHT,
        'Payment',
        failed.heading,
        failed.text,
        'Reason expired_card',
        BUYERS,
        panelOf(LATE),
      ],
      actions: [...BUYERS_ACTIONS, ...LATE],
    },
    'an expired cart': {
      cart: { expiresAtMs: EXPIRED_AT_MS },
      heading: abandoned.heading,
      text: [BOUGHT, EXPIRED_ON, 'Payment', abandoned.heading, START_AGAIN, BACK, panelOf(LATE)],
      actions: LATE,
    },
    'an expired cart without a return address': {
      cart: { expiresAtMs: EXPIRED_AT_MS, returnUrl: undefined },
      heading: abandoned.heading,
      text: [BOUGHT, EXPIRED_ON, 'Payment', abandoned.heading, START_AGAIN, panelOf(LATE)],
      actions: LATE,
    },
    'a completed cart, whatever the other notice': {
      cart: paid,
      notice: 'left',
      heading: completed.heading,
      text: [BOUGHT, THANKS, RECEIPT, BACK, REFUND],
      actions: ['refund'],
    },
    'a completed cart after an attempt to expire it': {
      cart: paid,
      notice: 'has_payment',
      heading: completed.heading,
      text: [BOUGHT, THANKS, notices.has_payment, RECEIPT, BACK, REFUND],
      actions: ['refund'],
    },
    'a cart completed late, without a return address': {
      cart: { ...paid, latePayment: true, returnUrl: undefined },
      heading: completed.heading,
      text: [BOUGHT, 'Receipt', completed.heading, late.heading, late.text, canClose, RECEIPT, REFUND],
      actions: ['refund'],
    },
    'a completed cart after a refund in part': {
      cart: { ...paid, refunds: [refund({ paymentId: 'payment-1' })] },
      heading: completed.heading,
      text: [
        BOUGHT,
        'Receipt',
        completed.heading,
        texts.partlyRefunded.heading,
        texts.partlyRefunded.text,
        `${PAID_ON} Refund €5.00 ${REFUNDED_ON} ${REFERENCE}`,
        BACK,
        REFUND,
      ],
      actions: ['refund'],
    },
    'a completed cart after a refund in full': {
      cart: { ...paid, refunds: [refund({ paymentId: 'payment-1', amount: 19.99 })] },
      notice: 'nothing_to_refund',
      heading: texts.refunded.heading,
      text: [
        BOUGHT,
        'Receipt',
        texts.refunded.heading,
        texts.refunded.text,
        notices.nothing_to_refund,
        `${PAID_ON} Refund €19.99 ${REFUNDED_ON} ${REFERENCE}`,
        BACK,
      ],
      actions: [],
    },
  };

  it.each(Object.entries(PAGES))(
    'of %s has this text, these actions and nothing else',
    async (_, { cart, notice, heading, text, actions }) => {
      const id = await sandbox.givenCart(cart);
      const page = await sandbox.show(id, { query: notice === undefined ? {} : { notice } });
      expect(textOf(page)).toBe(
        [`${heading} – Test checkout Test mode: no money moves.`, ...text, `Reference ${id}`].join(' '),
      );
      expect(page.body).toContain(`<footer>Reference <code>${id}</code></footer>`);
      expect(offeredActions(page)).toStrictEqual(actions);
      expect(page.body.includes('<form')).toBe(actions.length > 0);
      expect(page.body.includes('<a ')).toBe(text.includes(BACK));
      const [card = '', panel = ''] = page.body.split('<details class="controls"');
      expect(offeredActions({ ...page, body: card })).toStrictEqual(
        actions.filter((action) => BUYERS_ACTIONS.includes(action)),
      );
      expect(panel.includes('<form')).toBe(actions.length > 0);
    },
  );
});

describe('a notice', () => {
  it.each([
    [
      'wrong_amount',
      'rejected notice',
      'The payment was rejected because its amount differs from the total.',
    ],
    ['too_many_payments', 'rejected notice', 'The payment was rejected because this checkout had too many'],
    ['has_payment', 'rejected notice', 'This checkout did not expire, because a payment was already tried.'],
    ['nothing_to_refund', 'rejected notice', 'Nothing was refunded. No payment is left to refund, or'],
    ['left', 'notice', 'You have not paid.'],
  ])('describes the result of the last action: %s', async (notice, className, text) => {
    const { body } = await sandbox.show(await sandbox.givenCart(), { query: { notice } });
    expect(body).toContain(`<p class="${className}">${text}`);
  });

  it.each(['other', 'constructor', '<script>'])(
    'that the page does not know is ignored: %s',
    async (notice) => {
      const id = await sandbox.givenCart();
      const { body } = await sandbox.show(id, { query: { notice } });
      expect(body).toBe((await sandbox.show(id)).body);
    },
  );
});
