import { NO_ROUTE, type Program } from '../support/program.ts';

/**
 * JavaScript, a page that calls the API from the browser, with the key in it. The preflight request gets no CORS
 * headers, so the browser sends nothing more.
 */
export const program: Program = {
  creates: () => ({
    method: 'OPTIONS',
    headers: {
      Authorization: undefined,
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    },
  }),
  gets: NO_ROUTE,
  reads: ({ headers }) => headers['access-control-allow-origin'] ?? 'blocked by the browser',
  sees: 'blocked by the browser',
};
