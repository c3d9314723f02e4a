import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Report, reportText } from '../bench/support/report.ts';
import { DOCUMENT_FILE, makeReports, withReports } from './document.ts';

const DOCUMENT = readFileSync(DOCUMENT_FILE, 'utf8');

let reports: Report[];

beforeAll(() => {
  reports = makeReports();
});

describe('docs/scale.md', () => {
  it('holds every table word for word; npm run scale -- --write renews them', () => {
    for (const report of reports)
      expect(DOCUMENT).toContain(`\n\`\`\`text\n${reportText(report).trim()}\n\`\`\`\n`);
  });

  it('shows no bound that is missed', () => {
    const missed = reports.flatMap(({ verdicts }) => verdicts.filter(({ ok }) => !ok));
    expect(missed).toStrictEqual([]);
  });

  it('gets its tables renewed and nothing else touched', () => {
    const stale = DOCUMENT.replaceAll(/(?<=\n\d[^\n]*)\d(?=\n)/g, '7');
    expect(stale).not.toBe(DOCUMENT);
    expect(withReports(stale, reports)).toBe(DOCUMENT);
  });
});
