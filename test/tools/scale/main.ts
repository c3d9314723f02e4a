import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { runCommandLine } from '../../../infra/command-line.ts';
import { reportText } from '../bench/support/report.ts';
import { DOCUMENT_FILE, makeReports, withReports } from './document.ts';

const program = new Command('npm run scale --')
  .description(
    'Computes and simulates what the service costs and meets at scale; exits 1 if a bound is missed.',
  )
  .option('--write', 'writes the tables to docs/scale.md too', false)
  .action(({ write }: { write: boolean }) => {
    const reports = makeReports();
    for (const report of reports) process.stdout.write(reportText(report));
    if (write) writeFileSync(DOCUMENT_FILE, withReports(readFileSync(DOCUMENT_FILE, 'utf8'), reports));
    if (reports.some(({ verdicts }) => verdicts.some(({ ok }) => !ok))) process.exitCode = 1;
  });

await runCommandLine(program);
