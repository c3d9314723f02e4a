import { expect, it } from 'vitest';
import { isTypoOf } from '../../../lib/requests/typo.ts';

it.each([
  ['one letter less', 'redirecurl'],
  ['one letter more', 'redirecturls'],
  ['another letter', 'redirecturi'],
  ['two letters that changed places', 'redirectrul'],
])('is a typo: %s', (_what, name) => {
  expect(isTypoOf('redirecturl', name)).toBe(true);
});

it.each([
  ['the name itself', 'email', 'email'],
  ['another first letter', 'phone', 'iphone'],
  ['first letters that changed places', 'email', 'meail'],
  ['two other letters', 'email', 'emaol2'],
  ['a known name of four letters', 'meta', 'metal'],
])('is no typo: %s', (_what, known, name) => {
  expect(isTypoOf(known, name)).toBe(false);
});
