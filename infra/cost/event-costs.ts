import type { EVENT_FUNCTIONS } from '../../functions/function-needs.ts';
import { limitsOf } from '../stage/function-limits.ts';
import { PRICES } from './model.ts';
import { type CostRow, inCents } from './request-costs.ts';

/** The units of DynamoDB, with items below 1 KB. `npm run bench -- units` measures them. */
export const EVENT_UNITS = {
  payment: { writes: 10, reads: 2 },
  fanOut: { reads: 1.5 },
  delivery: { writes: 3, reads: 1 },
  /** On a quiet stage, where it is the only one of its transaction. */
  abandonment: { writes: 7, reads: 2 },
} as const;

/** @param millionPrice the dollars of a million units */
const costOf = (part: string, amount: number, millionPrice: number, unit = ''): CostRow => ({
  part,
  amount: `${amount}${unit}`,
  dollars: amount * millionPrice,
});

const writesOf = (what: string, writes: number): CostRow =>
  costOf(`DynamoDB, write units: ${what}`, writes, PRICES.dynamodbMillionWrites);
const readsOf = (what: string, reads: number): CostRow =>
  costOf(`DynamoDB, read units: ${what}`, reads, PRICES.dynamodbMillionReads);
const queueOf = (what: string): CostRow => costOf(`SQS: ${what}`, 3, PRICES.sqsMillionRequests, ' requests');
const logsOf = (bytes: number): CostRow =>
  costOf("CloudWatch, the function's logs", bytes, PRICES.logsGigabyte / 1_000, ' bytes');

const runOf = (name: keyof typeof EVENT_FUNCTIONS, durationMs: number): CostRow => {
  const { memoryMb } = limitsOf(name);
  const gigabyteMs = durationMs * (memoryMb / 1_024);
  return {
    part: `Lambda, \`${name}\``,
    amount: `1 request, ${durationMs} ms of ${memoryMb} MB`,
    dollars: PRICES.lambdaMillionRequests + 1_000 * gigabyteMs * PRICES.lambdaGigabyteSecond,
  };
};

/** From the log to the bus. */
const FAN_OUT: readonly CostRow[] = [
  runOf('fan-out-events', 50),
  readsOf("endpoints, store's name", EVENT_UNITS.fanOut.reads),
  costOf("EventBridge, the service's own event", 1, PRICES.busMillionEvents, ' event'),
];

/** The cost of a million payments, each in an invocation of its own. */
export const PAYMENT_COSTS: readonly CostRow[] = inCents([
  writesOf('cart, claim, event and counter, in one transaction', EVENT_UNITS.payment.writes),
  readsOf('cart, counter', EVENT_UNITS.payment.reads),
  queueOf('from the bus to the function'),
  runOf('record-payment', 20),
  logsOf(357),
  ...FAN_OUT,
]);

/** The cost of a million first attempts, to a receiver that takes 200 ms. */
export const DELIVERY_COSTS: readonly CostRow[] = inCents([
  writesOf('lease, its release, the record', EVENT_UNITS.delivery.writes),
  readsOf('the event', EVENT_UNITS.delivery.reads),
  queueOf('send, receive, delete'),
  runOf('deliver-webhooks', 260),
  logsOf(434),
]);

/** The cost of a million abandonments. */
export const ABANDONMENT_COSTS: readonly CostRow[] = inCents([
  writesOf('cart, event, counter, timer', EVENT_UNITS.abandonment.writes),
  readsOf('cart, counter', EVENT_UNITS.abandonment.reads),
  ...FAN_OUT,
]);
