import { describe, expect, it } from 'vitest';
import type { Cart } from '../../../lib/carts/cart.ts';
import { givenSandbox } from './sandbox.ts';

const sandbox = await givenSandbox();

describe('the language', () => {
  const show = async (
    lang: string | undefined,
    changes: Partial<Cart> = {},
    headers: Record<string, string> = {},
  ) => sandbox.show(await sandbox.givenCart({ customerInfo: { lang }, ...changes }), { headers });

  it.each([
    ['fr-CA', 'fr', '19,99\u00A0€'],
    ['en-GB', 'en', '€19.99'],
    ['de-DE', 'en', '19,99\u00A0€'],
    ['not a locale', 'en', '€19.99'],
    [undefined, 'en', '€19.99'],
  ])("for %s is %s, with the amount in the buyer's format", async (lang, language, amount) => {
    const { headers, body } = await show(lang);
    expect(headers['content-language']).toBe(language);
    expect(body).toContain(`<html lang="${language}">`);
    expect(body).toContain(amount);
  });

  it.each([
    ['en-GB', 'fr-FR', 'en', '€19.99'],
    [undefined, 'de-CH, fr;q=0.9, en;q=0.8', 'fr', 'EUR\u00A019.99'],
    [undefined, 'fr', 'fr', '19,99\u00A0€'],
    ['de-DE', 'fr-FR', 'fr', '19,99\u00A0€'],
  ])("is the cart's, else the browser's: %s, %s", async (lang, acceptLanguage, language, amount) => {
    const { headers, body } = await show(lang, {}, { 'Accept-Language': acceptLanguage });
    expect(headers['content-language']).toBe(language);
    expect(body).toContain(`>${amount}<`);
  });

  it.each([
    ['FR-ca', '<bdi lang="fr-CA">19,99\u00A0€</bdi>'],
    ['de-DE', '<bdi lang="de-DE">19,99\u00A0€</bdi>'],
    ['not a locale', '<bdi lang="en">€19.99</bdi>'],
    [undefined, '<bdi lang="en">€19.99</bdi>'],
  ])('of the amount is marked: %s', async (lang, amount) => {
    expect((await show(lang)).body.split(amount)).toHaveLength(3);
  });

  it.each([
    ['fr-CA', 'fr-CA'],
    ['de-DE', 'en'],
  ])("of a time is marked, because the page's script formats it too: %s", async (lang, marked) => {
    expect((await show(lang)).body).toContain(`<time lang="${marked}" datetime="2026-01-16T12:30:00.`);
  });

  it.each([
    [{ amount: 999_999_999, currency: 'JPY' }, 'amount', '¥999,999,999<'],
    [{ amount: 9_999_999.99, currency: 'EUR' }, 'long amount', '€9,999,999.99<'],
    [{ amount: 1.5, currency: 'IQD' }, 'amount', 'IQD\u00A01.500<'],
  ])('never rounds an amount, which is large up to 12 characters: %j', async (price, className, text) => {
    const { body } = await show('en-US', { price });
    expect(body).toContain(`<p class="${className}"><span class="label">Total</span> <bdi`);
    expect(body).toContain(text);
  });
});
