import { describe, expect, it } from 'vitest';
import { formatPrice } from '../../../lib/pages/format-price.ts';

describe('a price', () => {
  it.each([
    [49.9, 'EUR', 'en-US', '€49.90'],
    [49.9, 'EUR', 'fr-FR', '49,90\u00A0€'],
    [1_500, 'JPY', 'en-US', '¥1,500'],
    [1_500, 'JPY', 'ja-JP', '￥1,500'],
    [0.125, 'KWD', 'en-US', 'KWD\u00A00.125'],
    [5, 'CLF', 'en-US', 'CLF\u00A05.0000'],
    [12.5, 'HUF', 'en-US', 'HUF\u00A012.50'],
    [2.5, 'RSD', 'en-US', 'RSD\u00A02.50'],
  ])('has the decimals of ISO 4217: %d %s for %s is %s', (amount, currency, lang, text) => {
    expect(formatPrice({ amount, currency }, lang)).toBe(text);
  });

  it('is in English for a locale that the runtime lacks', () => {
    expect(formatPrice({ amount: 1.5, currency: 'EUR' }, 'xx-999')).toBe('€1.50');
  });
});
