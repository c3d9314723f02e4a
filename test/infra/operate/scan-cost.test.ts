import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { sayScanCost, USD_PER_MILLION_READ_UNITS } from '../../../infra/operate/scan-cost.ts';
import { createDocumentClient } from '../../../lib/aws.ts';
import { mockDocuments } from '../../support/documents.ts';
import { runInProcess } from '../../support/operate.ts';
import { PRICES } from '../../tools/scale/model.ts';

// The emulator says that every table has 0 bytes.
test.each([
  [['carts'], 0, 1, '', 'Reads about 1 item: 1 read unit, less than $0.01.'],
  [['carts', 'test-carts'], 8_192, 6, '', 'Reads about 12 items: 2 read units, less than $0.01.'],
  [
    ['carts', 'test-carts'],
    6_500_000_000,
    10_000_000,
    'at most ',
    'Reads at most about 20,000,000 items: 1,586,915 read units, $0.20.',
  ],
] as const)('the tables %j of %i bytes each', async (tables, TableSizeBytes, ItemCount, upTo, line) => {
  const documents = createDocumentClient();
  mockDocuments(documents).on(DescribeTableCommand).resolves({ Table: { TableSizeBytes, ItemCount } });
  const { stdout, stderr } = await runInProcess(async (streams) => {
    expect(await sayScanCost(streams, { documents }, tables, upTo)).toBe(tables.length * ItemCount);
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
