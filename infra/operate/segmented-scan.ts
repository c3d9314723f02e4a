import {
  ScanCommand as RawScanCommand,
  type ScanCommandInput as RawScanInput,
} from '@aws-sdk/client-dynamodb';
import { ScanCommand, type ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Documents } from '../../lib/core/documents.ts';
import type { Pauses } from '../../lib/core/retry.ts';

type Item = Record<string, unknown>;

/** The place of a scan, as JSON: the last key that each segment has read, `start` or `end`. */
export type ScanPosition = readonly (Item | 'start' | 'end')[];

/** A scan of a whole table in parallel segments. */
export interface SegmentedScan {
  /** The table, and what to read of its items. `Limit` is the most items of a page, by default as many as fit into 1 MB. */
  readonly scan: ScanCommandInput;
  /** Whether the handler gets attribute values, as DynamoDB stores them. The values of `scan` are attribute values then too. */
  readonly raw?: true;
  /** Segments that are read at the same time. A stored position keeps its own number. */
  readonly segments: number;
  /** The read units that the scan consumes in a second, on average. It waits after each page. */
  readonly unitsPerSecond: number;
  /** By default, the scan begins at the start of the table. */
  readonly from?: ScanPosition | undefined;
}

export interface ScanHandlers {
  /** Handles the items of a page. A scan that continues after an interruption may repeat a page. */
  readonly handle: (items: readonly Item[]) => Promise<void>;
  /** Stores the place of the scan. All pages before it are handled. */
  readonly save?: (position: ScanPosition) => Promise<void> | void;
  /** Reports how many items the scan has read so far, with those that a filter drops. */
  readonly report?: (scannedItems: number) => void;
}

/** The totals of a scan. */
export interface ScanTotals {
  /** The items that it read, with those that a filter dropped. */
  readonly scannedItems: number;
  readonly readUnits: number;
}

/** Spreads read units over time. It waits until the time for these units, and for those of earlier calls, is over. */
const createPacer = (unitsPerSecond: number, { sleep }: Pick<Pauses, 'sleep'>) => {
  let paid: Promise<unknown> = Promise.resolve();
  return (units: number): Promise<unknown> => {
    paid = paid.then(() => sleep((units / unitsPerSecond) * 1_000));
    return paid;
  };
};

/** The key with which the next page of a segment begins. */
const startAfter = (place: ScanPosition[number]) =>
  typeof place === 'object' ? { ExclusiveStartKey: place } : {};

/**
 * Reads a whole table, or the rest of it after an interruption. Each segment handles its pages in their order.
 *
 * @throws any error of DynamoDB or of a handler. The other segments then end after the page that they read.
 */
export const scanInSegments = async (
  documents: Documents,
  { scan, raw, segments, unitsPerSecond, from }: SegmentedScan,
  { handle, save, report }: ScanHandlers,
  pauses: Pick<Pauses, 'sleep'>,
): Promise<ScanTotals> => {
  const places = from ? [...from] : Array<ScanPosition[number]>(segments).fill('start');
  const pay = createPacer(unitsPerSecond, pauses);
  const totals = { scannedItems: 0, readUnits: 0 };
  let isFailed = false;

  const readPage = async (Segment: number, place: ScanPosition[number]): Promise<void> => {
    const input = {
      ...scan,
      ...startAfter(place),
      Segment,
      TotalSegments: places.length,
      ReturnConsumedCapacity: 'TOTAL',
    } as const;
    const page = raw
      ? await documents.send(new RawScanCommand(input as RawScanInput))
      : await documents.send(new ScanCommand(input));
    const units = page.ConsumedCapacity?.CapacityUnits ?? 0;
    await handle(page.Items ?? []);
    places[Segment] = page.LastEvaluatedKey ?? 'end';
    totals.scannedItems += page.ScannedCount ?? 0;
    totals.readUnits += units;
    await save?.([...places]);
    report?.(totals.scannedItems);
    if (places[Segment] !== 'end') await pay(units);
  };

  const readSegment = async (_place: unknown, segment: number): Promise<void> => {
    try {
      for (let place = places[segment]; place !== undefined && place !== 'end'; place = places[segment]) {
        if (isFailed) return;
        await readPage(segment, place);
      }
    } catch (error) {
      isFailed = true;
      throw error;
    }
  };
  await Promise.all(places.map(readSegment));
  return totals;
};
