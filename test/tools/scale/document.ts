import { join } from 'node:path';
import { type Report, reportText } from '../bench/support/report.ts';
import { leaseReport, smallLimitReport, spreadReport, todayReport } from './hot-key/reports.ts';
import { costReport, quotaReport } from './load/reports.ts';
import { twoRegionsReport } from './regions/reports.ts';

/** The document that holds every table. */
export const DOCUMENT_FILE = join(import.meta.dirname, '../../../docs/scale.md');

/** Everything that the model has to say; it takes some seconds. */
export const makeReports = (): Report[] => [
  costReport(),
  quotaReport(),
  todayReport(),
  leaseReport(),
  spreadReport(),
  smallLimitReport(),
  twoRegionsReport(),
];

/** A document with each of its code blocks that begins with a report's title made that report. */
export const withReports = (markdown: string, reports: readonly Report[]): string =>
  markdown.replaceAll(/(?<=^```text\n)([^\n]*)\n[^`]*(?=```$)/gm, (block, title: string) => {
    const report = reports.find((candidate) => candidate.title === title);
    return report ? `${reportText(report).trim()}\n` : block;
  });
