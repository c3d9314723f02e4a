import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import {
  type ScanHandlers,
  scanInSegments,
  type ScanPosition,
} from '../../../infra/operate/segmented-scan.ts';
import { givenDatabase } from '../../support/database.ts';

const { documents, tableNames } = await givenDatabase();
const IDS = Array.from({ length: 40 }, (_, index) => `product-${index + 10}`);

beforeAll(async () => {
  const put = (id: string) => new PutCommand({ TableName: tableNames.products, Item: { id, name: id } });
  await Promise.all(IDS.map((id) => documents.send(put(id))));
});

/** Scans the table in pages of five items, without waiting. Collects the ids. */
const scan = async (handlers: Partial<ScanHandlers> = {}, from?: ScanPosition) => {
  const ids: string[] = [];
  const pauses: number[] = [];
  const handle: ScanHandlers['handle'] = async (items) => {
    await handlers.handle?.(items);
    ids.push(...items.map(({ id }) => id as string));
  };
  const input = { scan: { TableName: tableNames.products, Limit: 5 }, segments: 3, unitsPerSecond: 10, from };
  const ended = scanInSegments(
    documents,
    input,
    { ...handlers, handle },
    { sleep: async (ms) => pauses.push(ms) },
  );
  return { ids, pauses, ended };
};

it('a scan reads each item once, and reports how many it has read', async () => {
  const reported: number[] = [];
  const { ids, ended } = await scan({ report: (scanned) => reported.push(scanned) });
  expect(await ended).toMatchObject({ scannedItems: IDS.length });
  expect(ids.toSorted()).toStrictEqual(IDS);
  expect(reported.at(-1)).toBe(IDS.length);
});

it('a scan waits for the time that its read units take', async () => {
  const { pauses, ended } = await scan();
  const { readUnits } = await ended;
  // The last page of a segment need not wait.
  const paid = pauses.reduce((sum, ms) => sum + ms, 0) / 1_000;
  expect(paid * 10).toBeGreaterThan(readUnits - 3 * 0.5 - 1e-9);
  expect(Math.max(...pauses)).toBe(50);
});

it('a scan continues after an interruption, from its stored position, in JSON', async () => {
  let stored = '';
  let pages = 0;
  const first = await scan({
    handle: async () => {
      pages += 1;
      if (pages === 5) throw new Error('interrupted');
    },
    save: (position) => void (stored = JSON.stringify(position)),
  });
  await expect(first.ended).rejects.toThrow('interrupted');
  const rest = await scan({}, JSON.parse(stored) as ScanPosition);
  await rest.ended;
  expect(first.ids.length).toBeGreaterThan(0);
  expect(rest.ids.length).toBeLessThan(IDS.length);
  expect([...new Set([...first.ids, ...rest.ids])].toSorted()).toStrictEqual(IDS);
});

it('a scan that is complete reads nothing again', async () => {
  let stored: ScanPosition = [];
  await (
    await scan({ save: (position) => void (stored = position) })
  ).ended;
  const again = await scan({}, stored);
  expect(await again.ended).toStrictEqual({ scannedItems: 0, readUnits: 0 });
});
