import { setTimeout } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { ENV_NAMES } from '../../../lib/core/env-names.ts';
import { createLogFolder, endLogFolder, removeLogFolder } from '../../support/log-files.ts';
import { runTool } from '../run-tool.ts';
import { checkHistory } from './check/check.ts';
import { checkEvents, summarizeEvents } from './events/check.ts';
import { runRecovery } from './events/recovery.ts';
import type { BrokenRule } from './events/rules.ts';
import { runEvents } from './events/run.ts';
import { EVENTS_SCENARIOS, SCHEDULE_CHECKS } from './events/scenarios.ts';
import { UsageError } from '../../../infra/command-line.ts';
import { type Exchange, type FaultWindow, type History, isUnderFault } from './history.ts';
import { issueKeys, UNKNOWN_KEY } from './load/keys.ts';
import { CONNECTIONS, type LoadOptions, startLoad } from './load/load.ts';
import { createRandom } from './load/random.ts';
import { RequestSource } from './load/request-source.ts';
import { closeConnections } from './load/sender.ts';
import { type Scenario, SCENARIOS } from './scenarios.ts';
import { describeViolation, summarize } from './table.ts';
import { startWorld, type World } from './world/world.ts';

interface Options {
  readonly part: Part;
  readonly quick: boolean;
  readonly changes: number | undefined;
  readonly seed: number;
  readonly only: string;
}

const PARTS = ['requests', 'events', 'schedule', 'recovery'] as const;
type Part = (typeof PARTS)[number] | 'all';

const CHANGES = 10_000;
const QUICK_CHANGES = 400;

const QUICK_REQUESTS_PER_SECOND = 55;

/** Load runs before each fault. After it the service has 5 s to recover, and 1 s more to show that it lasts. */
const CALM_BEFORE_MS = 1_000;
const CALM_AFTER_MS = 6_000;

const VIOLATIONS_SHOWN = 50;
const VIOLATIONS_SHOWN_PER_RULE = 5;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** The names of the scenarios of each part. */
const NAMES: Readonly<Record<Exclude<Part, 'all'>, readonly string[]>> = {
  requests: SCENARIOS.map(({ name }) => name),
  events: EVENTS_SCENARIOS.map(({ name }) => name),
  schedule: SCHEDULE_CHECKS,
  recovery: ['recovery'],
};

/**
 * The parts to run.
 *
 * @throws UsageError if no scenario of these parts has the name
 */
const selectParts = ({ part, only }: Options): ReadonlySet<Part> => {
  const parts = part === 'all' ? PARTS : [part];
  const selected = parts.filter((each) => NAMES[each].some((name) => name.includes(only)));
  if (selected.length > 0) return new Set(selected);
  throw new UsageError(`The scenarios are: ${parts.flatMap((each) => NAMES[each]).join('; ')}.`);
};

const parseChanges = (text: string): number => {
  if (/^[1-9]\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number from 10 to 99999.');
};

const parseSeed = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

const runScenario = async (
  { name, requests, fault }: Scenario,
  world: World,
  isQuick: boolean,
  options: Omit<LoadOptions, 'scenario'>,
): Promise<FaultWindow[]> => {
  const load = startLoad({ ...options, scenario: name });
  const faults: FaultWindow[] = [];
  const underFault = (): number =>
    load.exchanges().filter((exchange) => isUnderFault(exchange, faults)).length;
  const minimum = isQuick ? 0 : requests;
  const counted = (): number => (fault ? underFault() : load.exchanges().length);
  do {
    await setTimeout(CALM_BEFORE_MS);
    const fromMs = Date.now();
    if (fault) {
      await fault.strike(world);
      faults.push({ scenario: name, victim: fault.victim, fromMs, toMs: Date.now() });
    }
    await setTimeout(CALM_AFTER_MS);
  } while (counted() < minimum);
  await load.stop();
  print(`${name}: ${load.exchanges().length} requests, ${underFault()} of them during the fault`);
  return faults;
};

const runScenarios = async (world: World, { quick, seed, only }: Options): Promise<History> => {
  const keys = await issueKeys(world.database.endpoint);
  const secrets = new Map([...keys, UNKNOWN_KEY].map(({ name, secret }) => [name, secret]));
  const random = createRandom(seed);
  const exchanges: Exchange[] = [];
  const options = {
    source: new RequestSource(random, keys),
    random,
    baseUrls: world.baseUrls,
    secretOf: (name: string) => secrets.get(name)!,
    requestsPerSecondMax: quick ? QUICK_REQUESTS_PER_SECOND : Infinity,
    exchanges,
  };
  const faults: FaultWindow[] = [];
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(only))) {
    faults.push(...(await runScenario(scenario, world, quick, options)));
  }
  closeConnections();
  return {
    exchanges,
    faults,
    keys: new Map(keys.map((key) => [key.name, key])),
    stages: world.baseUrls.length,
    storedCarts: await world.storedCarts(),
  };
};

const report = (history: History, { seed }: Options, startedAtMs: number): void => {
  const violations = checkHistory(history);
  const { exchanges, storedCarts } = history;
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  print(
    `\n${exchanges.length} requests over ${CONNECTIONS} connections, ${storedCarts.length} carts stored,` +
      ` ${seconds} s, seed ${seed}, Node.js ${process.versions.node}\n`,
  );
  print(summarize(history, violations));
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN)) print(describeViolation(violation));
  if (violations.length > VIOLATIONS_SHOWN) print(`and ${violations.length - VIOLATIONS_SHOWN} more`);
  if (violations.length > 0) process.exitCode = 1;
};

const checkRequests = async (options: Options): Promise<void> => {
  const startedAtMs = performance.now();
  await using processes = new AsyncDisposableStack();
  // A generator of its own: the number of its draws depends on time.
  const world = await startWorld(processes, createRandom(options.seed + 1).next);
  report(await runScenarios(world, options), options, startedAtMs);
};

const reportBroken = (broken: readonly BrokenRule[]): void => {
  for (const [rule, own] of Map.groupBy(broken, (each) => each.rule)) {
    print(`${rule}: broken ${own.length} times`);
    for (const { detail } of own.slice(0, VIOLATIONS_SHOWN_PER_RULE)) print(`    ${detail}`);
  }
  if (broken.length > 0) process.exitCode = 1;
};

const countChanges = ({ changes, quick }: Options): number => changes ?? (quick ? QUICK_CHANGES : CHANGES);

const checkEventsPart = async (options: Options): Promise<void> => {
  const startedAtMs = performance.now();
  await using processes = new AsyncDisposableStack();
  const { only, seed } = options;
  const random = createRandom(seed);
  const history = await runEvents(processes, { changes: countChanges(options), only, random, print });
  const broken = checkEvents(history);
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  print(`\n${summarizeEvents(history)}\n\n${broken.length} violations, ${seconds} s, seed ${seed}`);
  reportBroken(broken);
};

const checkSchedulePart = async ({ quick, seed, only }: Options): Promise<void> => {
  // The modules of functions read the environment on import.
  process.env[ENV_NAMES.stageName] = 'simulation';
  const { CHECKS } = await import('./events/check-schedule.ts');
  for (const name of SCHEDULE_CHECKS.filter((each) => each.includes(only))) {
    reportBroken(await CHECKS[name](createRandom(seed), quick, print));
  }
};

const checkRecoveryPart = async (options: Options): Promise<void> => {
  await using processes = new AsyncDisposableStack();
  reportBroken(await runRecovery(processes, countChanges(options), print));
};

const program = new Command('npm run test:faults --')
  .description(
    'Runs two service processes on one database, under load and under faults. Exits 1 if a rule is broken. The parts:\n' +
      '  requests   every request and response; more than 100,000 requests are in flight during a fault\n' +
      '  events     every change of a cart, its event in the feed, and its deliveries by webhook\n' +
      '  schedule   the attempts of deliveries over days, and 100,000 carts that expire in a minute, on a simulated clock\n' +
      '  recovery   completed carts while their endpoint is down, from the feed alone',
  )
  .addOption(new Option('--part <part>', 'what to check').choices(['all', ...PARTS]).default('all'))
  .option('--quick', 'about 5,000 requests and 400 changes, each fault once', false)
  .option('--changes <number>', 'the changes whose events are checked; default: 10000', parseChanges)
  .option('--only <text>', 'only the scenarios with this text in their name', '')
  .option('--seed <number>', 'repeats a load', parseSeed, 1);

await runTool(program, async (cleanUp, options: Options) => {
  const parts = selectParts(options);
  createLogFolder();
  cleanUp.defer(removeLogFolder);
  if (parts.has('requests')) await checkRequests(options);
  if (parts.has('events')) await checkEventsPart(options);
  if (parts.has('schedule')) await checkSchedulePart(options);
  if (parts.has('recovery')) await checkRecoveryPart(options);
  endLogFolder();
});
