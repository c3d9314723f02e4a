import { stageConfig } from '../../../../infra/stages.ts';
import type { Load } from './load.ts';

/** Something that a load may use no more of than there is. */
export interface Quota {
  readonly name: string;
  readonly value: number;
  /** How much of it a load uses. */
  readonly use: (load: Load) => number;
  /** Where it is said: an address, or the file that sets it. */
  readonly source: string;
}

const API_GATEWAY = 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html';
const LAMBDA = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html';
const LAMBDA_SCALING = 'https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html';
const DYNAMODB = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Limits.html';
const DYNAMODB_WARM =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html';
const DYNAMODB_PARTITION =
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html';

/** What one partition, and so one item, takes a second: DynamoDB, "Designing partition keys". */
export const ITEM_UNITS_PER_SECOND = { write: 1_000, read: 3_000 } as const;

/** Executions that an account may have at a time in a region, of all functions together. */
export const CONCURRENT_EXECUTIONS = 1_000;

const { throttle } = stageConfig({ stage: 'prod', checkoutUrl: 'https://pay.example.com' });

/** Defaults of an account in us-east-1, except the first, which is the stage's own. */
export const QUOTAS: readonly Quota[] = [
  {
    name: "the stage's throttle, requests/s",
    value: throttle.requestsPerSecond,
    use: ({ requests }) => requests,
    source: 'infra/stages.ts',
  },
  {
    name: 'one API key makes all: writes/s of an item',
    value: ITEM_UNITS_PER_SECOND.write,
    use: ({ keyWrites }) => keyWrites,
    source: DYNAMODB_PARTITION,
  },
  {
    name: 'one product in all carts: reads/s of an item',
    value: ITEM_UNITS_PER_SECOND.read,
    use: ({ productReads }) => productReads,
    source: DYNAMODB_PARTITION,
  },
  {
    name: 'Lambda, new environments of a function in 10 s, from none',
    value: 1_000,
    use: ({ coldEnvironments }) => coldEnvironments,
    source: LAMBDA_SCALING,
  },
  {
    name: "the keys' table while new, writes/s",
    value: 4_000,
    use: ({ keyWrites }) => keyWrites,
    source: DYNAMODB_WARM,
  },
  {
    name: "the carts' table while new, writes/s",
    value: 4_000,
    use: ({ cartWrites }) => cartWrites,
    source: DYNAMODB_WARM,
  },
  {
    name: "the carts' table while new, reads/s",
    value: 12_000,
    use: ({ cartReads }) => cartReads,
    source: DYNAMODB_WARM,
  },
  {
    name: 'API Gateway, requests/s of an account',
    value: 10_000,
    use: ({ requests }) => requests,
    source: API_GATEWAY,
  },
  {
    name: 'Lambda, requests/s: ten to each execution',
    value: 10 * CONCURRENT_EXECUTIONS,
    use: ({ requests }) => requests,
    source: LAMBDA,
  },
  {
    name: 'Lambda, concurrent executions of an account',
    value: CONCURRENT_EXECUTIONS,
    use: ({ concurrency }) => concurrency,
    source: LAMBDA,
  },
  {
    name: "the keys' table, writes/s",
    value: 40_000,
    use: ({ keyWrites }) => keyWrites,
    source: DYNAMODB,
  },
  {
    name: "the carts' table, reads/s",
    value: 40_000,
    use: ({ cartReads }) => cartReads,
    source: DYNAMODB,
  },
];
