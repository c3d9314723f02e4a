import { CART_BYTES } from '../measured.ts';
import type { Load } from './load.ts';

/**
 * List prices of us-east-1 in dollars, without free tiers, from memory of November 2026: those of docs/cost.md, which a
 * test compares, and API Gateway's discounts beyond its first tier.
 */
export const PRICES = {
  lambdaMillionRequests: 0.2,
  lambdaGigabyteSecond: 0.0000133334,
  dynamodbMillionWrites: 0.625,
  dynamodbMillionReads: 0.125,
  /** With the backups of a durable stage. */
  dynamodbGigabyteMonth: 0.45,
  logsGigabyte: 0.5,
  xrayMillionTraces: 5,
  /** Metrics, dashboard and alarms of a stage, a month. */
  stageMonth: 6.5,
} as const;

/** Of a million requests to a REST API, up to so many millions a month. */
export const API_GATEWAY_TIERS = [
  { untilMillions: 333, price: 3.5 },
  { untilMillions: 1_000, price: 2.8 },
  { untilMillions: 20_000, price: 2.38 },
  { untilMillions: Infinity, price: 1.51 },
] as const;

const MILLION = 1e6;
const GIGABYTE = 1e9;

/** 730 hours, as AWS counts a month. */
export const SECONDS_PER_MONTH = 730 * 3_600;

const apiGatewayCost = (millions: number): number => {
  let fromMillions = 0;
  let cost = 0;
  for (const { untilMillions, price } of API_GATEWAY_TIERS) {
    cost += Math.max(0, Math.min(millions, untilMillions) - fromMillions) * price;
    fromMillions = untilMillions;
  }
  return cost;
};

/** Of X-Ray's default rule: the first request of each second, and one in twenty of the others. */
const tracesPerSecond = (requestsPerSecond: number): number =>
  Math.min(1, requestsPerSecond) + Math.max(0, requestsPerSecond - 1) / 20;

/** Dollars a month, by service, of a load that stays the same day and night. */
export const monthlyCosts = (load: Load): Readonly<Record<string, number>> => {
  const monthly = (perSecond: number, unit: number): number => (perSecond * SECONDS_PER_MONTH) / unit;
  const millions = monthly(load.requests, MILLION);
  return {
    'API Gateway': apiGatewayCost(millions),
    'Lambda, requests': millions * PRICES.lambdaMillionRequests,
    'Lambda, GB-seconds': monthly(load.gigabyteSeconds, 1) * PRICES.lambdaGigabyteSecond,
    'DynamoDB, write units':
      monthly(load.keyWrites + load.cartWrites, MILLION) * PRICES.dynamodbMillionWrites,
    'DynamoDB, read units':
      monthly(load.productReads + load.cartReads, MILLION) * PRICES.dynamodbMillionReads,
    'DynamoDB, a month of carts':
      monthly(load.creations * CART_BYTES, GIGABYTE) * PRICES.dynamodbGigabyteMonth,
    'CloudWatch, logs': monthly(load.logBytes, GIGABYTE) * PRICES.logsGigabyte,
    'X-Ray': monthly(tracesPerSecond(load.requests), MILLION) * PRICES.xrayMillionTraces,
    'The stage itself': PRICES.stageMonth,
  };
};
