import { expect } from 'vitest';

/** Guarantees that DynamoDB Local 2.6.1 and 3.1.0 cannot show, because they differ from DynamoDB. */
const EXEMPTIONS = {
  'units of a transaction':
    'They report 4 write units for each table of a transaction, however much it writes.',
  'units of an empty page':
    'They report no units for a query without items. DynamoDB consumes at least half a unit.',
  'units of a full page':
    'They end a page after the item that exceeds 1 MB. The embedded DynamoDB ends it before that item.',
} as const;

/** The expected number of units. On the DynamoDB at `DYNAMODB_URL`, an exempt number may be any. */
export const unlessExempt = (_exemption: keyof typeof EXEMPTIONS, units: number): unknown =>
  (process.env['DYNAMODB_URL'] ?? '') === '' ? units : expect.any(Number);
