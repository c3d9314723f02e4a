import { cpus, totalmem } from 'node:os';
import { Argument, Command } from 'commander';
import { type Effort, fails, reportText } from '../report.ts';
import { runTool } from '../run-tool.ts';
import { benchBodies } from './bodies/bodies.ts';
import { benchFirstRequest } from './first-request/first-request.ts';
import { benchHttp } from './http/http.ts';
import { benchInit } from './init/init.ts';
import { benchLimits } from './limits/limits.ts';
import { benchMemory } from './memory/memory.ts';
import { benchOverhead } from './overhead/overhead.ts';
import { benchWebhooks } from './webhooks/webhooks.ts';

const PARTS = {
  init: benchInit,
  'first-request': benchFirstRequest,
  limits: benchLimits,
  overhead: benchOverhead,
  http: benchHttp,
  memory: benchMemory,
  bodies: benchBodies,
  webhooks: benchWebhooks,
};

type PartName = keyof typeof PARTS;

const PART_NAMES = Object.keys(PARTS) as PartName[];

const runParts = async (names: readonly PartName[], effort: Effort): Promise<void> => {
  const cpu = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`;
  const machine = [
    new Date().toISOString(),
    process.versions.node,
    cpu,
    `${Math.round(totalmem() / 1e9)} GB`,
  ];
  process.stdout.write(`${machine.join(', ')}${effort.isQuick ? ', quick: no figures' : ''}\n`);
  for (const name of names.length > 0 ? names : PART_NAMES) {
    const startedAtMs = performance.now();
    const report = await PARTS[name](effort);
    const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
    process.stdout.write(`${reportText(report)}(${seconds} s)\n`);
    // The figures of a quick run mean nothing.
    if (!effort.isQuick && fails(report)) process.exitCode = 1;
  }
};

const program = new Command('npm run bench --')
  .description('Measures the service beside its alternatives. Exits 1 if a bound is missed.')
  .addArgument(new Argument('[part...]', 'the parts to measure; all by default').choices(PART_NAMES))
  .option('--quick', 'runs under a minute: shows that the benchmark works, without figures', false);

// Each process and folder of a part ends with this process, so each adds a listener.
process.setMaxListeners(50);
await runTool(program, (_cleanUp, names: PartName[], { quick }: { quick: boolean }) =>
  runParts(names, { isQuick: quick }),
);
