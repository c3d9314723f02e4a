import { invalid, order, type Program } from '../support/program.ts';

/** Visual Basic, a legacy system: the body is in Windows-1252. */
export const program: Program = {
  creates: (shop) => ({ body: Buffer.from(JSON.stringify(order(shop, { firstName: 'Zoë' })), 'latin1') }),
  gets: invalid({ '': 'Must be valid UTF-8' }),
};
