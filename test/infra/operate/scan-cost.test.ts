import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { sayScanCost, USD_PER_MILLION_READ_UNITS } from '../../../infra/operate/scan-cost.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { mockDocuments } from '../../support/documents.ts';
import { runInProcess } from '../../support/operate.ts';
import { PRICES } from '../../tools/scale/model.ts';

// The emulator says that every table has 0 bytes.
test.each([
  [8_192, 6, '', 'Reads about 12 items: 2 read units, less than $0.01.'],
  [
    6_500_000_000,
    10_000_000,
    'at most ',
    'Reads at most about 20,000,000 items: 1,586,915 read units, $0.20.',
  ],
] as const)('two tables of %i bytes each', async (TableSizeBytes, ItemCount, upTo, line) => {
  const documents = createDocumentClient();
  mockDocuments(documents).on(DescribeTableCommand).resolves({ Table: { TableSizeBytes, ItemCount } });
  const { stdout, stderr } = await runInProcess(async (streams) => {
    expect(await sayScanCost(streams, { documents }, ['carts', 'test-carts'], upTo)).toBe(2 * ItemCount);
    return 0;
  });
  expect({ stdout, stderr }).toStrictEqual({
    stdout: '',
    stderr: `${line} DynamoDB counts a table every six hours.\n`,
  });
});

test('the price is that of the model of costs', () => {
  expect(USD_PER_MILLION_READ_UNITS).toBe(PRICES.dynamodbMillionReads);
});
