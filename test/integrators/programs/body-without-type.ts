import { invalid, order, type Program } from '../support/program.ts';

/** Python, requests with `data=json.dumps(...)`: no content type at all. */
export const program: Program = {
  creates: (shop) => ({ headers: { 'Content-Type': undefined, Accept: '*/*' }, body: order(shop) }),
  gets: invalid({ '': 'Content-Type must be application/json' }),
};
