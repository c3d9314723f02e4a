import { BUYER } from '../secrets.ts';

/** A valid body for a fixed-price product; `changes` replace fields, `undefined` leaves one out. */
export const cartBody = (productId: string, changes: Record<string, unknown> = {}): string =>
  JSON.stringify({ productDocumentId: productId, ...BUYER, ...changes });
