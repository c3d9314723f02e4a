import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../../../functions/sandbox-checkout/actions.ts';
import { errorPages, type PageErrorKind } from '../../../functions/sandbox-checkout/error-pages.ts';
import type { Notice } from '../../../functions/sandbox-checkout/notices.ts';
import { checkoutPage } from '../../../functions/sandbox-checkout/page/checkout-page.ts';
import { pageResponse } from '../../../functions/sandbox-checkout/page/page-response.ts';
import { type Language, languageOf } from '../../../functions/sandbox-checkout/texts/language.ts';
import { TRANSLATIONS } from '../../../functions/sandbox-checkout/texts/translations.ts';
import { CART_LIFETIME } from '../../../infra/stage/stage-config.ts';
import { ApiError } from '../../../lib/http/errors.ts';
import { refund, waitingCart } from '../../support/domain/payments.ts';

/** The texts by path, such as `errors.internal.heading`. */
const textsOf = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([key, part]) => textsOf(part, path ? `${path}.${key}` : key));

const ENGLISH = new Map(textsOf(TRANSLATIONS.en));
const FRENCH = new Map(textsOf(TRANSLATIONS.fr));

const PAID = { status: 'completed', paymentId: 'p-1' } as const;

const refunded = (amount: number) => ({ ...PAID, refunds: [refund({ paymentId: 'p-1', amount })] });

/** The pages of a language: each status, notice and error. */
const pagesIn = (language: Language): string => {
  const cart = waitingCart({ returnUrl: 'https://shop.example/' });
  const customerInfo = { firstName: 'Ada', lastName: 'Lovelace', email: 'a@b.example', phone: '123456' };
  const checkout = (changes: object, notice?: Notice): string => {
    const options = { storeName: 'Shop', nowMs: cart.createdAtMs, notice, acceptLanguage: language };
    return pageResponse(200, checkoutPage({ ...cart, customerInfo, ...changes }, options)).body;
  };
  const error = (kind: PageErrorKind): string => {
    const headers = { accept: 'text/html', 'accept-language': language };
    const request = { error: new ApiError(kind), event: { headers, state: {} }, response: { body: '' } };
    errorPages('main').onError?.(request as never);
    return request.response.body;
  };
  const { notices, errors } = TRANSLATIONS[language];
  return [
    ...[
      { expiresAtMs: 0 },
      { status: 'payment_failed', failureReason: 'expired_card' },
      { status: 'payment_failed', failureReason: 'card_declined' },
      { ...PAID, returnUrl: undefined },
      { ...PAID, latePayment: true },
      refunded(5),
      refunded(cart.price.amount),
    ].map((changes) => checkout(changes)),
    ...(Object.keys(notices) as Notice[]).map((notice) => checkout({}, notice)),
    ...(Object.keys(errors) as PageErrorKind[]).map(error),
  ].join('\n');
};

/** Texts that are equal in both languages. */
const SHARED = ['total', 'email', 'mode'];

describe('the texts', () => {
  it('exist in both languages, and each is translated', () => {
    expect([...FRENCH.keys()]).toStrictEqual([...ENGLISH.keys()]);
    const same = [...ENGLISH].filter(([path, text]) => FRENCH.get(path) === text).map(([path]) => path);
    expect(same).toStrictEqual(SHARED);
  });

  it.each(['en', 'fr'] as const)('are not empty, and have no markup or straight quotes: %s', (language) => {
    for (const [path, text] of textsOf(TRANSLATIONS[language])) expect(text, path).toMatch(/^[^<>&'"]+$/);
  });

  it.each(['en', 'fr'] as const)('each appear on a page: %s', (language) => {
    const pages = pagesIn(language);
    for (const [path, text] of textsOf(TRANSLATIONS[language])) expect(pages.includes(text), path).toBe(true);
  });

  it("have no word of the service's where buyers read", () => {
    const developers = /^(?:controls|effects|developers|testCartsOnly)/;
    const buyers = [...ENGLISH, ...FRENCH].filter(([path]) => !developers.test(path));
    for (const [path, text] of buyers)
      expect(text, path).not.toMatch(
        /\b(?:carts?|paniers?|abandon\w*|completed|webhook|API|redirectUrl|recorded)\b/i,
      );
  });

  it('have a no-break space before two-part punctuation in French', () => {
    for (const [path, text] of FRENCH) expect(text, path).not.toMatch(/[^\u00A0][:;!?]/);
  });

  it('name the days after which the stage deletes an unpaid cart', () => {
    const days = CART_LIFETIME.retentionSeconds / 86_400;
    for (const texts of [ENGLISH, FRENCH])
      expect(texts.get('developers.cartNotFound.deleted')).toMatch(new RegExp(` ${days} (?:days|jours) `));
  });

  it('describe every effect in sentences', () => {
    const effects = [...ENGLISH, ...FRENCH].filter(([path]) => path.startsWith('effects.'));
    // Buyers pay, are declined and leave without an explanation.
    expect(effects).toHaveLength(2 * (ACTIONS.length - 3));
    for (const [path, text] of effects) expect(text, path).toMatch(/^\p{Lu}.+\.$/u);
  });
});

describe('the language of a page', () => {
  it.each(['fr', 'fr-FR', 'FR-ca', ' fr, en;q=0.9', 'fr,en', 'de, en;q=0.7, fr;q=0.8'])(
    'is French for %s',
    (tag) => {
      expect(languageOf(tag)).toBe('fr');
    },
  );

  it.each([
    undefined,
    '',
    'en',
    'de-FR',
    'frr-DE',
    'fro',
    'en, fr',
    'de-fr, fr;q=0.8, en;q=0.9',
    'fr;q=0, en',
    'fr;q=0',
    '*',
  ])('is English for %s', (tag) => {
    expect(languageOf(tag)).toBe('en');
  });

  it.each([
    ['en-GB', 'fr', 'en'],
    ['fr-FR', 'en', 'fr'],
    ['de-DE', 'fr', 'fr'],
    [undefined, 'fr', 'fr'],
  ])('is the first that the page has: %s, then %s', (lang, acceptLanguage, language) => {
    expect(languageOf(lang, acceptLanguage)).toBe(language);
  });
});
