import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { reportText } from '../bench/support/report.ts';
import { runTool } from '../run-tool.ts';
import { DOCUMENT_FILE, makeReports, withReports } from './tables.ts';

const program = new Command('npm run scale --')
  .description('Computes the monthly cost and the use of quotas at three request rates.')
  .option('--write', 'also update the tables in docs/scale.md', false);

await runTool(program, async (_cleanUp, { write }: { write: boolean }) => {
  const reports = makeReports();
  for (const report of reports) process.stdout.write(reportText(report));
  if (write) writeFileSync(DOCUMENT_FILE, withReports(readFileSync(DOCUMENT_FILE, 'utf8'), reports));
});
