import { CREATED, type Program } from '../support/program.ts';

/**
 * PHP, `json_encode` with its defaults: characters beyond ASCII and slashes are escaped. Names keep every character.
 */
export const program: Program = {
  creates: ({ course }) => ({
    body: String.raw`{"productDocumentId":"${course}","email":"ada@example.com","firstName":"\u0623\u062f\u0627","lastName":"O'Br\u00ef\u00e8n \ud83c\udf88","redirectURL":"https:\/\/shop.example\/merci"}`,
  }),
  gets: CREATED,
  reads: ({ body }) => body.cart.customerInfo,
  sees: { firstName: 'أدا', lastName: "O'Brïèn 🎈", email: 'ada@example.com' },
};
