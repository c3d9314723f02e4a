import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Host } from './options.ts';
import { showProgress } from './progress.ts';
import { pausesOf } from './queues.ts';
import { READ_UNITS_PER_SECOND, sayScanCost } from './scan-cost.ts';
import { type ScanHandlers, scanInSegments } from './segmented-scan.ts';
import type { Stage } from './stage.ts';

/** A new table has four partitions. A larger one has more. */
export const SCAN_SEGMENTS = 4;

/**
 * Scans whole tables, one after the other, at a limited rate. It states the cost first, and shows the progress.
 *
 * @param step the text of the progress, such as `Reading`
 * @param scans each with its table
 * @throws any error of DynamoDB or of the handler
 */
export const scanTables = async (
  host: Host,
  { documents }: Pick<Stage, 'documents'>,
  step: string,
  scans: readonly ScanCommandInput[],
  handle: ScanHandlers['handle'],
): Promise<void> => {
  const names = scans.map(({ TableName = '' }) => TableName);
  const total = await sayScanCost(host, { documents }, names);
  const progress = showProgress(host);
  progress.begin(step);
  try {
    let earlier = 0;
    for (const scan of scans) {
      const before = earlier;
      const { scannedItems } = await scanInSegments(
        documents,
        { scan, segments: SCAN_SEGMENTS, unitsPerSecond: READ_UNITS_PER_SECOND },
        {
          handle,
          report: (scanned) => progress.update(before + scanned, Math.max(total, before + scanned, 1)),
        },
        pausesOf(host),
      );
      earlier += scannedItems;
    }
  } finally {
    progress.end();
  }
};
