import { LOAD_SHARES, OPERATION_USE } from '../../cost/aws-use.ts';
import { RATES, type Rows, whole } from '../../cost/cost-tables.ts';
import { meanOf } from '../../cost/load-costs.ts';
import { PRODUCTION_CONTEXT } from '../../example-stages/contexts.ts';
import { stageConfig } from '../../stage/stage-config.ts';
import { keyLimitsMax } from '../../stage/throttle.ts';

const AWS_DOCS = 'https://docs.aws.amazon.com';
const API_GATEWAY = `${AWS_DOCS}/apigateway/latest/developerguide/limits.html`;
const LAMBDA = `${AWS_DOCS}/lambda/latest/dg/gettingstarted-limits.html`;
const SCALING = `${AWS_DOCS}/lambda/latest/dg/scaling-behavior.html`;
const DYNAMODB = `${AWS_DOCS}/amazondynamodb/latest/developerguide/Limits.html`;
const WARM = `${AWS_DOCS}/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html`;
const PARTITION = `${AWS_DOCS}/amazondynamodb/latest/developerguide/bp-partition-key-design.html`;
const STAGE = 'infra/stage/throttle.ts';

const { throttle } = stageConfig(PRODUCTION_CONTEXT);

const { createCartCheckout: creations, getCart: retrievals } = LOAD_SHARES;

/** Assumed: the time from a request that finds no environment to its response. */
const COLD_START_SECONDS = 0.5;

/** The environments of the busiest function, if the whole rate arrives at once and none runs yet. */
const coldStarts = retrievals * COLD_START_SECONDS;

/** The environments that a request keeps busy: its seconds (Little's law). */
const executions = meanOf(({ durationMs }) => durationMs) / 1_000;

const productReads = creations * OPERATION_USE.createCartCheckout.usual.reads;
const cartReads = retrievals * OPERATION_USE.getCart.usual.reads;

/** A default of an account in us-east-1, or a limit of the service. */
interface Quota {
  readonly name: string;
  readonly value: number;
  /** The use of it by one request a second, on average over a creation and three retrievals. */
  readonly usePerRequest: number;
  /** The page that states it, or the file that sets it. */
  readonly source: string;
}

/** Each request writes its key. A creation writes a cart, also into the index of timers, and reads a product. */
export const QUOTAS: readonly Quota[] = [
  {
    name: "the gateway's limit, retrievals/s",
    value: throttle.requestsPerSecond,
    usePerRequest: retrievals,
    source: STAGE,
  },
  {
    name: 'one API key makes all: requests/s of a key',
    value: keyLimitsMax(throttle).requestsPerSecond,
    usePerRequest: 1,
    source: STAGE,
  },
  {
    name: 'one product in all carts: reads/s of an item',
    value: 3_000,
    usePerRequest: productReads,
    source: PARTITION,
  },
  {
    name: 'Lambda, new environments of a function in 10 s, from none',
    value: 1_000,
    usePerRequest: coldStarts,
    source: SCALING,
  },
  { name: "the keys' table while new, writes/s", value: 4_000, usePerRequest: 1, source: WARM },
  { name: "the carts' table while new, writes/s", value: 4_000, usePerRequest: creations, source: WARM },
  {
    name: "the carts' index of timers while new, creations/s",
    value: 4_000,
    usePerRequest: creations,
    source: WARM,
  },
  { name: "the carts' table while new, reads/s", value: 12_000, usePerRequest: cartReads, source: WARM },
  { name: 'API Gateway, requests/s of an account', value: 10_000, usePerRequest: 1, source: API_GATEWAY },
  { name: 'Lambda, requests/s: ten to each execution', value: 10_000, usePerRequest: 1, source: LAMBDA },
  {
    name: 'Lambda, concurrent executions of an account',
    value: 1_000,
    usePerRequest: executions,
    source: LAMBDA,
  },
  { name: "the keys' table, writes/s", value: 40_000, usePerRequest: 1, source: DYNAMODB },
  { name: "the carts' table, reads/s", value: 40_000, usePerRequest: cartReads, source: DYNAMODB },
];

/** A share of one in percent, with a decimal below 10 %. */
const percent = (share: number): string =>
  `${share < 0.0995 ? (share * 100).toFixed(1) : whole(share * 100)} %`;

/** The rows of the quotas in `docs/scale.md`, by the rate that uses up each. */
export const quotaRows = (): Rows => [
  ['Quota', 'Default', ...RATES.map((rate) => `${whole(rate)}/s`), 'Reached at'],
  ...QUOTAS.toSorted((a, b) => a.value / a.usePerRequest - b.value / b.usePerRequest).map(
    ({ name, value, usePerRequest }) => [
      name,
      whole(value),
      ...RATES.map((rate) => percent((rate * usePerRequest) / value)),
      `${whole(value / usePerRequest)}/s`,
    ],
  ),
];
