import { CREATED, order, type Program } from '../support/program.ts';

/** COBOL, a mainframe's web client: header names are in capitals. */
export const program: Program = {
  creates: (shop) => ({
    headers: { AUTHORIZATION: `BEARER ${shop.apiKey}`, 'CONTENT-TYPE': 'APPLICATION/JSON' },
    body: order(shop),
  }),
  gets: CREATED,
};
