import { setTimeout } from 'node:timers/promises';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { DocumentClient } from '../../../../lib/database/documents.ts';
import { scanPages } from '../../../../lib/database/paginate.ts';
import { startEnvironment, type Environment } from '../environment/environment.ts';
import { type Exchange, type FaultWindow, type History, isUnderFault } from './history.ts';
import { issueKeys, UNKNOWN_KEY } from './keys.ts';
import { type LoadOptions, startLoad } from './load.ts';
import { createRandom } from './random.ts';
import { RequestSource } from './request-source.ts';
import { type RequestsScenario, REQUESTS_SCENARIOS } from './scenarios.ts';
import { closeConnections } from './sender.ts';

/** Load runs before each fault. After it the service has 5 s to recover, and 1 s more to show that it lasts. */
const CALM_BEFORE_MS = 1_000;
const CALM_AFTER_MS = 6_000;

const QUICK_REQUESTS_PER_SECOND = 55;

interface RequestsOptions {
  /** About 5,000 requests, and each fault once. */
  readonly quick: boolean;
  readonly seed: number;
  readonly only: string;
  readonly print: (line: string) => void;
}

const runScenario = async (
  { name, requests, inject, stage }: RequestsScenario,
  environment: Environment,
  { quick, print }: RequestsOptions,
  load: Omit<LoadOptions, 'scenario'>,
): Promise<FaultWindow[]> => {
  const { exchanges, stop } = startLoad({ ...load, scenario: name });
  const faults: FaultWindow[] = [];
  const target = stage === undefined ? 'database' : { stage };
  const underFault = (): number => exchanges().filter((exchange) => isUnderFault(exchange, faults)).length;
  const requestsMin = quick ? 0 : requests;
  const counted = (): number => (inject ? underFault() : exchanges().length);
  do {
    await setTimeout(CALM_BEFORE_MS);
    const fromMs = Date.now();
    await inject?.(environment);
    if (inject) faults.push({ scenario: name, target, fromMs, toMs: Date.now() });
    await setTimeout(CALM_AFTER_MS);
  } while (counted() < requestsMin);
  await stop();
  print(`${name}: ${exchanges().length} requests, ${underFault()} of them during the fault`);
  return faults;
};

const storedCarts = async (documents: DocumentClient): Promise<readonly Cart[]> => {
  const carts: Cart[] = [];
  const scan = { TableName: LOCAL_TABLE_NAMES.testCarts, ConsistentRead: true };
  for await (const { Items = [] } of scanPages(documents, scan)) carts.push(...(Items as Cart[]));
  return carts;
};

/** Runs the requests' part: load under faults. Returns what there is to check. */
export const runRequests = async (
  cleanUp: AsyncDisposableStack,
  options: RequestsOptions,
): Promise<History> => {
  const { quick, seed, only } = options;
  const environment = await startEnvironment(cleanUp);
  const keys = await issueKeys(environment.documents);
  const keyTexts = new Map([...keys, UNKNOWN_KEY].map(({ name, keyText }) => [name, keyText]));
  const random = createRandom(seed);
  const exchanges: Exchange[] = [];
  const load = {
    source: new RequestSource(random, keys),
    random,
    baseUrls: environment.baseUrls,
    secretOf: (name: string) => keyTexts.get(name)!,
    requestsPerSecondMax: quick ? QUICK_REQUESTS_PER_SECOND : Infinity,
    exchanges,
  };
  const faults: FaultWindow[] = [];
  for (const scenario of REQUESTS_SCENARIOS.filter(({ name }) => name.includes(only))) {
    faults.push(...(await runScenario(scenario, environment, options, load)));
  }
  closeConnections();
  return {
    exchanges,
    faults,
    keys: new Map(keys.map((key) => [key.name, key])),
    stages: environment.baseUrls.length,
    storedCarts: await storedCarts(environment.documents),
  };
};
