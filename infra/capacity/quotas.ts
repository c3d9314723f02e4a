import { RATES, type Rows, whole } from '../cost/cost-tables.ts';
import { meanOf } from '../cost/monthly-costs.ts';
import { LOAD_SHARES, OPERATION_USE } from '../cost/use.ts';
import { keyLimitsMax, stageConfig } from '../stage/stage-config.ts';

const AWS_DOCS = 'https://docs.aws.amazon.com';
const API_GATEWAY = `${AWS_DOCS}/apigateway/latest/developerguide/limits.html`;
const LAMBDA = `${AWS_DOCS}/lambda/latest/dg/gettingstarted-limits.html`;
const SCALING = `${AWS_DOCS}/lambda/latest/dg/scaling-behavior.html`;
const DYNAMODB = `${AWS_DOCS}/amazondynamodb/latest/developerguide/Limits.html`;
const WARM = `${AWS_DOCS}/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html`;
const PARTITION = `${AWS_DOCS}/amazondynamodb/latest/developerguide/bp-partition-key-design.html`;
const STAGE = 'infra/stage/stage-config.ts';

const { throttle } = stageConfig({
  stage: 'prod',
  checkoutUrl: 'https://pay.example.com',
  alarmEmail: 'none',
});

const { createCartCheckout: creations, getCart: retrievals } = LOAD_SHARES;

/** Assumed: the time from a request that finds no environment to its response. */
const COLD_START_SECONDS = 0.5;

/** The environments of the busiest function, if the whole rate arrives at once and none runs yet. */
const coldStarts = retrievals * COLD_START_SECONDS;

/** The environments that a request keeps busy: its seconds (Little's law). */
const executions = meanOf(({ durationMs }) => durationMs) / 1_000;

const productReads = creations * OPERATION_USE.createCartCheckout.usual.reads;
const cartReads = retrievals * OPERATION_USE.getCart.usual.reads;

/**
 * The defaults of an account in us-east-1: the name of each quota, its value, the use of it by one request a second on average,
 * and the page that states it, or the file that sets it. Each request writes its key. A creation writes a cart, also into the index
 * of timers, and reads a product.
 */
export const QUOTAS = [
  ["the gateway's limit, retrievals/s", throttle.requestsPerSecond, retrievals, STAGE],
  ['one API key makes all: requests/s of a key', keyLimitsMax(throttle).requestsPerSecond, 1, STAGE],
  ['one product in all carts: reads/s of an item', 3_000, productReads, PARTITION],
  ['Lambda, new environments of a function in 10 s, from none', 1_000, coldStarts, SCALING],
  ["the keys' table while new, writes/s", 4_000, 1, WARM],
  ["the carts' table while new, writes/s", 4_000, creations, WARM],
  ["the carts' index of timers while new, creations/s", 4_000, creations, WARM],
  ["the carts' table while new, reads/s", 12_000, cartReads, WARM],
  ['API Gateway, requests/s of an account', 10_000, 1, API_GATEWAY],
  ['Lambda, requests/s: ten to each execution', 10_000, 1, LAMBDA],
  ['Lambda, concurrent executions of an account', 1_000, executions, LAMBDA],
  ["the keys' table, writes/s", 40_000, 1, DYNAMODB],
  ["the carts' table, reads/s", 40_000, cartReads, DYNAMODB],
] as const satisfies readonly (readonly [name: string, value: number, ofRequest: number, source: string])[];

/** A share of one in percent, with a decimal below 10 %. */
const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : whole(share * 100)} %`;

/** The rows of the quotas in `docs/scale.md`, by the rate that uses up each. */
export const quotaRows = (): Rows => [
  ['Quota', 'Default', ...RATES.map((rate) => `${whole(rate)}/s`), 'Reached at'],
  ...QUOTAS.toSorted(([, a, ofA], [, b, ofB]) => a / ofA - b / ofB).map(([name, value, ofRequest]) => [
    name,
    whole(value),
    ...RATES.map((rate) => percent((rate * ofRequest) / value)),
    `${whole(value / ofRequest)}/s`,
  ]),
];
