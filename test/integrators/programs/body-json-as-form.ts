import { invalid, order, type Program } from '../support/program.ts';

/**
 * Python, `urllib` with `data=json.dumps(...)`: the body is JSON, but the default content type is that of a form.
 */
export const program: Program = {
  creates: (shop) => ({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'Accept-Encoding': 'identity' },
    body: order(shop),
  }),
  gets: invalid({ '': 'Content-Type must be application/json' }),
};
