import { TRACED_SHARE } from '../stage/stage-config.ts';
import { LOAD_SHARES, type LoadOperation, OPERATION_USE, type Use } from './aws-use.ts';
import { executionDollars } from './costs-per-million.ts';
import { PRICES, SECONDS_PER_MONTH } from './prices.ts';

/** Assumed: the largest stored cart. A cart below this size costs one write unit. */
const CART_BYTES = 1_000;

const OPERATIONS = Object.keys(LOAD_SHARES) as LoadOperation[];

/** The mean of a load's requests. */
export const meanOf = (valueOf: (use: Use) => number): number =>
  OPERATIONS.reduce((sum, name) => sum + LOAD_SHARES[name] * valueOf(OPERATION_USE[name].usual), 0);

const apiGatewayDollars = (millions: number): number => {
  let fromMillions = 0;
  let dollars = 0;
  for (const { untilMillions, price } of PRICES.apiGateway) {
    dollars += Math.max(0, Math.min(millions, untilMillions) - fromMillions) * price;
    fromMillions = untilMillions;
  }
  return dollars;
};

/** The millions of requests in a month. */
export const millionsAt = (requestsPerSecond: number): number =>
  (requestsPerSecond * SECONDS_PER_MONTH) / 1e6;

/**
 * Computes the dollars per month, by service, of a load that stays the same day and night.
 *
 * @param stageMonth what production costs without requests
 */
export const loadCosts = (
  requestsPerSecond: number,
  stageMonth: number,
): Readonly<Record<string, number>> => {
  const millions = millionsAt(requestsPerSecond);
  const carts = millions * LOAD_SHARES.createCartCheckout;
  return {
    'API Gateway': apiGatewayDollars(millions),
    'Lambda, requests': millions * PRICES.lambdaMillionRequests,
    'Lambda, GB-seconds': millions * meanOf((use) => executionDollars(use)),
    'DynamoDB, write units': millions * meanOf(({ writes }) => writes) * PRICES.dynamodbMillionWrites,
    'DynamoDB, read units': millions * meanOf(({ reads }) => reads) * PRICES.dynamodbMillionReads,
    'DynamoDB, a month of carts': ((carts * CART_BYTES) / 1_000) * PRICES.dynamodbGigabyteMonth,
    'CloudWatch, logs': millions * meanOf(({ logBytes }) => logBytes / 1_000) * PRICES.logsGigabyte,
    'X-Ray': millions * TRACED_SHARE * PRICES.xrayMillionTraces,
    'The stage itself': stageMonth,
  };
};
