import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLogFolder, endLogFolder } from '../../support/log-files.ts';
import { checkHistory } from './check/check.ts';
import { type Exchange, type FaultWindow, type History, isUnderFault } from './history.ts';
import { issueKeys, type LoadKey, UNKNOWN_KEY } from './load/keys.ts';
import { CONNECTIONS, type LoadOptions, startLoad } from './load/load.ts';
import { createRandom } from './load/random.ts';
import { createRequestSource } from './load/request-source.ts';
import { createSender } from './load/sender.ts';
import { type Scenario, SCENARIOS } from './scenarios.ts';
import { describeViolation, summarize } from './table.ts';
import { startWorld, type World } from './world/world.ts';

// The real service, in two processes on one database, under load and under faults; then every request and answer is
// checked. More than 100,000 requests are under way during a fault; `--quick` makes about 5,000 in all, `--seed N` repeats a load,
// `--only TEXT` runs the scenarios whose name holds it. Exits 1 if a rule of the history was broken.
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});

const QUICK_REQUESTS_PER_SECOND = 55;

/** Before a fault there is load, and after it time to recover: 5 s, and one more to see that it lasts. */
const CALM_BEFORE_MS = 1_000;
const CALM_AFTER_MS = 6_000;

const VIOLATIONS_SHOWN = 50;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const runScenario = async (
  { name, requests, fault }: Scenario,
  world: World,
  options: Omit<LoadOptions, 'scenario'>,
): Promise<FaultWindow[]> => {
  const load = startLoad({ ...options, scenario: name });
  const faults: FaultWindow[] = [];
  const underFault = (): readonly Exchange[] =>
    load.exchanges().filter((exchange) => !fault || isUnderFault(exchange, faults));
  do {
    await setTimeout(CALM_BEFORE_MS);
    const fromMs = Date.now();
    if (fault) {
      await fault.strike(world);
      faults.push({ scenario: name, victim: fault.victim, fromMs, toMs: Date.now() });
    }
    await setTimeout(CALM_AFTER_MS);
  } while (!values.quick && underFault().length < requests);
  await load.stop();
  print(
    `${name}: ${load.exchanges().length} requests, ${fault ? underFault().length : 0} of them under the fault`,
  );
  return faults;
};

const runScenarios = async (world: World, keys: readonly LoadKey[]): Promise<History> => {
  const random = createRandom(Number(values.seed));
  const secrets = new Map([...keys, UNKNOWN_KEY].map(({ name, secret }) => [name, secret]));
  const exchanges: Exchange[] = [];
  const sender = createSender();
  const options = {
    source: createRequestSource(random, keys),
    sender,
    random,
    baseUrls: world.baseUrls,
    secretOf: (name: string) => secrets.get(name)!,
    requestsPerSecondMax: values.quick ? QUICK_REQUESTS_PER_SECOND : Infinity,
    exchanges,
  };
  const faults: FaultWindow[] = [];
  for (const scenario of SCENARIOS.filter(({ name }) => name.includes(values.only))) {
    faults.push(...(await runScenario(scenario, world, options)));
  }
  sender.close();
  if (exchanges.length === 0) throw new Error(`No scenario's name holds "${values.only}"`);
  return {
    exchanges,
    faults,
    keys: new Map(keys.map((key) => [key.name, key])),
    stages: world.baseUrls.length,
    storedCarts: await world.storedCarts(),
  };
};

const report = (history: History, startedAtMs: number): void => {
  const violations = checkHistory(history);
  const { exchanges, storedCarts } = history;
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  print(
    `\n${exchanges.length} requests over ${CONNECTIONS} connections, ${storedCarts.length} carts stored, ${seconds} s, seed ${values.seed}, Node.js ${process.versions.node}\n`,
  );
  print(summarize(history, violations));
  for (const violation of violations.slice(0, VIOLATIONS_SHOWN)) print(describeViolation(violation));
  if (violations.length > VIOLATIONS_SHOWN) print(`and ${violations.length - VIOLATIONS_SHOWN} more`);
  if (violations.length > 0) process.exitCode = 1;
};

const endOnSignals = (started: World): void => {
  const end = async (): Promise<void> => {
    await started.close();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end());
};

const startedAtMs = performance.now();
createLogFolder();
// Not the network's own random numbers: how many it takes depends on the time.
const world = await startWorld(createRandom(Number(values.seed) + 1).next);
endOnSignals(world);
try {
  const keys = await issueKeys(world.database.endpoint);
  report(await runScenarios(world, keys), startedAtMs);
} finally {
  await world.close();
}
endLogFolder();
