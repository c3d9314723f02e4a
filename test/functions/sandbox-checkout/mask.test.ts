import { describe, expect, it } from 'vitest';
import { maskEmail, maskPhone } from '../../../functions/sandbox-checkout/page/mask.ts';

describe('a masked e-mail address', () => {
  it.each([
    ['zsofia.quackenbush@buyer.example', 'z•••@buyer.example'],
    ['ada@buyer.example', 'a•••@buyer.example'],
    ['ad@buyer.example', '•••@buyer.example'],
    ['a@b.example', '•••@b.example'],
    ['🎈🎈🎈@buyer.example', '🎈•••@buyer.example'],
    // The API accepts none of these.
    ['a@b@buyer.example', 'a•••@buyer.example'],
    ['@buyer.example', '•••@buyer.example'],
    ['nobody', '•••'],
  ])('has the domain, and one character if the local part has three: %s', (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});

describe('a masked phone number', () => {
  it.each([
    ['+1 555 0199 773', '•••73'],
    ['112233', '•••33'],
    ['11223', '•••'],
    ['1', '•••'],
    ['🎈🎈🎈🎈🎈🎉', '•••🎈🎉'],
  ])('has the last two characters of at least six: %s', (phone, masked) => {
    expect(maskPhone(phone)).toBe(masked);
  });
});
