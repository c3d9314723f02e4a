import { invalid, type Program } from '../support/program.ts';

/** JavaScript, axios: the data is `undefined`, so the request has no body and no content type. */
export const program: Program = {
  creates: () => ({ headers: { Accept: 'application/json, text/plain, */*', 'Content-Length': '0' } }),
  gets: invalid({ '': 'A JSON body is required' }),
};
