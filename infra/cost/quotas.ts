import { keyLimitsMax, stageConfig } from '../stage/stage-config.ts';
import type { Load } from './model.ts';

export interface Quota {
  readonly name: string;
  readonly value: number;
  readonly limits: keyof Load;
  /** The page that states the quota, or the file that sets it. */
  readonly source: string;
}

const AWS_DOCS = 'https://docs.aws.amazon.com';
const API_GATEWAY = `${AWS_DOCS}/apigateway/latest/developerguide/limits.html`;
const LAMBDA = `${AWS_DOCS}/lambda/latest/dg/gettingstarted-limits.html`;
const SCALING = `${AWS_DOCS}/lambda/latest/dg/scaling-behavior.html`;
const DYNAMODB = `${AWS_DOCS}/amazondynamodb/latest/developerguide/Limits.html`;
const WARM = `${AWS_DOCS}/amazondynamodb/latest/developerguide/warm-throughput-scenarios.html`;
const PARTITION = `${AWS_DOCS}/amazondynamodb/latest/developerguide/bp-partition-key-design.html`;

const { throttle } = stageConfig({
  stage: 'prod',
  checkoutUrl: 'https://pay.example.com',
  alarmEmail: 'none',
});

const quota = (name: string, value: number, limits: keyof Load, source: string): Quota => ({
  name,
  value,
  limits,
  source,
});

/** The defaults of an account in us-east-1. The first quota is the stage's own. */
export const QUOTAS: readonly Quota[] = [
  quota(
    "the gateway's limit, retrievals/s",
    throttle.requestsPerSecond,
    'retrievals',
    'infra/stage/stage-config.ts',
  ),
  quota(
    'one API key makes all: requests/s of a key',
    keyLimitsMax(throttle).requestsPerSecond,
    'requests',
    'infra/stage/stage-config.ts',
  ),
  quota('one product in all carts: reads/s of an item', 3_000, 'productReads', PARTITION),
  quota('Lambda, new environments of a function in 10 s, from none', 1_000, 'coldEnvironments', SCALING),
  quota("the keys' table while new, writes/s", 4_000, 'keyWrites', WARM),
  quota("the carts' table while new, writes/s", 4_000, 'cartWrites', WARM),
  quota("the carts' index of timers while new, creations/s", 4_000, 'indexWrites', WARM),
  quota("the carts' table while new, reads/s", 12_000, 'cartReads', WARM),
  quota('API Gateway, requests/s of an account', 10_000, 'requests', API_GATEWAY),
  quota('Lambda, requests/s: ten to each execution', 10_000, 'requests', LAMBDA),
  quota('Lambda, concurrent executions of an account', 1_000, 'concurrency', LAMBDA),
  quota("the keys' table, writes/s", 40_000, 'keyWrites', DYNAMODB),
  quota("the carts' table, reads/s", 40_000, 'cartReads', DYNAMODB),
];
