import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { Argument, Command } from 'commander';
import { runCommandLine } from '../../../infra/command-line.ts';
import { benchGrowth } from './growth/growth.ts';
import { benchHttp } from './http/http.ts';
import { benchInit } from './init/init.ts';
import { benchLimits } from './limits/limits.ts';
import { benchOverhead } from './overhead/overhead.ts';
import { type Effort, type Report, reportText } from './support/report.ts';

const PARTS = {
  init: benchInit,
  limits: benchLimits,
  overhead: benchOverhead,
  http: benchHttp,
  growth: benchGrowth,
};

type PartName = keyof typeof PARTS;

/** A part alone has a file of its own. */
const resultFile = (names: readonly PartName[]): string =>
  join(import.meta.dirname, '../../../.local', `${['bench', ...names].join('-')}.json`);

const describeMachine = () => ({
  date: new Date().toISOString(),
  node: process.versions.node,
  cpu: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`,
  memoryGigabytes: Math.round(totalmem() / 1e9),
});

const runParts = async (names: readonly PartName[], effort: Effort): Promise<void> => {
  const machine = describeMachine();
  process.stdout.write(
    `${Object.values(machine).join(', ')} GB${effort.isQuick ? ', quick: no figures' : ''}\n`,
  );
  const reports: Partial<Record<PartName, Report & { readonly seconds: number }>> = {};
  for (const name of names.length > 0 ? names : (Object.keys(PARTS) as PartName[])) {
    const startedAtMs = performance.now();
    const report = await PARTS[name](effort);
    reports[name] = { ...report, seconds: Math.round((performance.now() - startedAtMs) / 1_000) };
    process.stdout.write(`${reportText(report)}(${reports[name].seconds} s)\n`);
  }
  // A quick run is too short for its figures to mean anything.
  if (effort.isQuick) return;
  const file = resultFile(names);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...machine, reports }, undefined, 2)}\n`);
  const isShort = Object.values(reports).some(({ verdicts }) => verdicts.some(({ ok }) => !ok));
  if (isShort) process.exitCode = 1;
};

const program = new Command('npm run bench --')
  .description(
    'Measures the service side by side with what one would use instead; exits 1 if a bound is missed.',
  )
  .addArgument(new Argument('[part...]', 'what to measure; all without it').choices(Object.keys(PARTS)))
  .option('--quick', 'under a minute: shows that the benchmark runs, not how fast anything is', false)
  .action((names: PartName[], { quick }: { quick: boolean }) => runParts(names, { isQuick: quick }));

// Each process and folder of a benchmark ends with this process, also if it fails.
process.setMaxListeners(50);
await runCommandLine(program);
