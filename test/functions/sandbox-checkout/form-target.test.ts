import { describe, expect, it } from 'vitest';
import { formTargetOf } from '../../../functions/sandbox-checkout/page/page-response.ts';

describe('the target of a form', () => {
  it.each([
    ['https://shop.example/thanks?a=1', 'https:'],
    ['http://localhost:3000/', 'http:'],
    ["https://a;script-src'unsafe-inline'/", 'https:'],
  ])('is the scheme alone, so that the merchant may redirect the buyer: %s', (address, source) => {
    expect(formTargetOf(address)).toBe(source);
  });
});
