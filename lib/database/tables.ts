/** The tables of a stage. `infra/stage/tables.ts` has their keys and indexes. */
export const TABLE_KINDS = [
  'apiKeys',
  'products',
  'carts',
  'testCarts',
  'secrets',
  'stores',
  'events',
  'webhookEndpoints',
  'deliveries',
  'erasures',
] as const;

export type TableKind = (typeof TABLE_KINDS)[number];
