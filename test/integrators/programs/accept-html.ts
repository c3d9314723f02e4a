import { CREATED, order, type Program } from '../support/program.ts';

/** Java, `HttpURLConnection`: it prefers HTML, and names no program. The response is JSON. */
export const program: Program = {
  creates: (shop) => ({
    headers: { Accept: 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2' },
    body: order(shop),
  }),
  gets: CREATED,
  reads: ({ headers }) => headers['content-type'],
  sees: 'application/json',
};
