import { invalid, order, type Program } from '../support/program.ts';

/** TypeScript, code for another platform: the phone number is an object with its country. */
export const program: Program = {
  creates: (shop) => ({ body: order(shop, { phone: { number: '650123456', country_code: 'CM' } }) }),
  gets: invalid({ phone: 'Must be a string' }),
};
