import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../infra/terminal/command-line.ts';
import { createLogFolder, endLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { runTool } from '../run-tool.ts';
import type { BrokenRule } from './broken-rule.ts';
import { checkPayments } from './payments/check.ts';
import { runPayments } from './payments/run.ts';
import { PAYMENTS_SCENARIOS } from './payments/scenarios.ts';
import { reportBroken, summarize } from './report.ts';
import { checkHistory } from './requests/check/check.ts';
import { runRequests } from './requests/run.ts';
import { REQUESTS_SCENARIOS } from './requests/scenarios.ts';

interface Options {
  readonly part: PartName | 'all';
  readonly quick: boolean;
  readonly seed: number;
  readonly only: string;
}

interface Part {
  readonly checks: string;
  readonly scenarios: readonly { readonly name: string }[];
  readonly run: (cleanUp: AsyncDisposableStack, options: Options) => Promise<readonly BrokenRule[]>;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const PARTS = {
  requests: {
    checks: 'every request and response; more than 100,000 requests are in flight during a fault',
    scenarios: REQUESTS_SCENARIOS,
    run: async (cleanUp, options) => {
      const history = await runRequests(cleanUp, { ...options, print });
      const broken = checkHistory(history);
      print(`\n${history.storedCarts.length} carts stored\n${summarize(history, broken)}`);
      return broken;
    },
  },
  payments: {
    checks: 'that faults of processes lose and repeat no payment, event or webhook',
    scenarios: PAYMENTS_SCENARIOS,
    run: async (cleanUp, options) => {
      const history = await runPayments(cleanUp, { ...options, print });
      const { paid, events, received } = history;
      print(`\n${paid.length} payments, ${events.length} events, ${received.length} webhooks`);
      return checkPayments(history);
    },
  },
} as const satisfies Readonly<Record<string, Part>>;

type PartName = keyof typeof PARTS;

const NAMES = Object.keys(PARTS) as PartName[];

/**
 * The parts to run.
 *
 * @throws UsageError if no scenario of these parts has the name
 */
const selectParts = ({ part, only }: Options): readonly PartName[] => {
  const parts = part === 'all' ? NAMES : [part];
  const namesOf = (each: PartName): readonly string[] => PARTS[each].scenarios.map(({ name }) => name);
  const selected = parts.filter((each) => namesOf(each).some((name) => name.includes(only)));
  if (selected.length > 0) return selected;
  throw new UsageError(`The scenarios are: ${parts.flatMap(namesOf).join('; ')}.`);
};

const parseSeed = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const runPart = async (name: PartName, options: Options): Promise<void> => {
  const startMs = performance.now();
  await using cleanUp = new AsyncDisposableStack();
  const broken = await PARTS[name].run(cleanUp, options);
  const seconds = Math.round((performance.now() - startMs) / 1_000);
  print(`\n${name}: ${broken.length} violations, ${seconds} s, seed ${options.seed}`);
  for (const line of reportBroken(broken)) print(line);
  if (broken.length > 0) process.exitCode = 1;
};

const program = new Command('npm run test:faults --')
  .description(
    'Runs two service processes on one database, under load and under faults. Exits 1 if a rule is broken. The parts:\n' +
      NAMES.map((name) => `  ${name.padEnd(10)} ${PARTS[name].checks}`).join('\n'),
  )
  .addOption(new Option('--part <part>', 'what to check').choices(['all', ...NAMES]).default('all'))
  .option('--quick', 'about 5,000 requests and 2,000 payments, each fault once', false)
  .option('--only <text>', 'only the scenarios with this text in their name', '')
  .option('--seed <number>', 'repeats the choice of requests', parseSeed, 1);

await runTool(program, async (cleanUp, options: Options) => {
  const parts = selectParts(options);
  createLogFolder();
  cleanUp.defer(removeLogFolder);
  for (const part of parts) await runPart(part, options);
  endLogFolder();
});
