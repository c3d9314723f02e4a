import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../../infra/terminal/command-line.ts';
import { createLogFolder, endLogFolder, removeLogFolder } from '../../support/logs/log-files.ts';
import { runTool } from '../run-tool.ts';
import { checkHistory } from './check/check.ts';
import { checkEvents, summarizeEvents } from './events/check.ts';
import { runEvents } from './events/run.ts';
import type { BrokenRule } from './world/history.ts';
import { createRandom } from './world/random.ts';
import { runRequests } from './load/run.ts';
import { reportBroken, summarize } from './report.ts';
import { EVENTS_SCENARIOS } from './events/scenarios.ts';
import { SCENARIOS } from './load/scenarios.ts';

interface Options {
  readonly part: PartName | 'all';
  readonly quick: boolean;
  readonly changes: number | undefined;
  readonly seed: number;
  readonly only: string;
}

interface Part {
  readonly checks: string;
  readonly scenarios: readonly { readonly name: string }[];
  readonly run: (cleanUp: AsyncDisposableStack, options: Options) => Promise<readonly BrokenRule[]>;
}

const CHANGES = 10_000;
const QUICK_CHANGES = 400;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const PARTS = {
  requests: {
    checks: 'every request and response; more than 100,000 requests are in flight during a fault',
    scenarios: SCENARIOS,
    run: async (cleanUp, options) => {
      const history = await runRequests(cleanUp, { ...options, print });
      const broken = checkHistory(history);
      print(`\n${history.storedCarts.length} carts stored\n${summarize(history, broken)}`);
      return broken;
    },
  },
  events: {
    checks: 'that no change of a cart, event in the feed or webhook is lost or repeated',
    scenarios: EVENTS_SCENARIOS,
    run: async (cleanUp, { changes, quick, seed, only }) => {
      const count = changes ?? (quick ? QUICK_CHANGES : CHANGES);
      const history = await runEvents(cleanUp, { changes: count, only, random: createRandom(seed), print });
      print(`\n${summarizeEvents(history)}`);
      return checkEvents(history);
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

const parseChanges = (text: string): number => {
  if (/^[1-9]\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 10 to 99999.');
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
  .option('--quick', 'about 5,000 requests and 400 changes, each fault once', false)
  .option('--changes <number>', 'the changes whose events are checked; default: 10000', parseChanges)
  .option('--only <text>', 'only the scenarios with this text in their name', '')
  .option('--seed <number>', 'repeats a load', parseSeed, 1);

await runTool(program, async (cleanUp, options: Options) => {
  const parts = selectParts(options);
  createLogFolder();
  cleanUp.defer(removeLogFolder);
  for (const part of parts) await runPart(part, options);
  endLogFolder();
});
