import type { FunctionName } from '../../functions/function-needs.ts';
import type { OperationName } from '../../functions/operations.ts';
import { limitsOf } from '../stage/function-limits.ts';
import { TRACED_SHARE } from '../stage/stage-config.ts';
import { EVENT_USE, LARGEST_EVENT_USE, OPERATION_USE, type Use } from './aws-use.ts';
import { PRICES } from './prices.ts';

/** A part of the cost of a million requests, events or runs. */
export interface CostRow {
  readonly part: string;
  readonly price?: string;
  /** The amount of one. Absent if it is the same for all. */
  readonly amount?: string;
  readonly dollars: number;
}

export const usd = (dollars: number, digits = 2): string =>
  `$${dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;

/** The memory of each function of the API. */
const API_MEMORY_MB = limitsOf('create-cart-checkout').memoryMb;

/** The execution time of a million invocations. Lambda rounds each up to a millisecond. */
export const executionDollars = ({ durationMs }: Use, memoryMb = API_MEMORY_MB): number =>
  1_000 * Math.ceil(durationMs) * (memoryMb / 1_024) * PRICES.lambdaGigabyteSecond;

const writes = (use: Use, of = ''): CostRow => ({
  part: `DynamoDB, write units${of}`,
  price: `${usd(PRICES.dynamodbMillionWrites, 3)} per million`,
  amount: String(use.writes),
  dollars: use.writes * PRICES.dynamodbMillionWrites,
});

const reads = (use: Use, of = ''): CostRow => ({
  part: `DynamoDB, read units${of}`,
  price: `${usd(PRICES.dynamodbMillionReads, 3)} per million`,
  amount: String(use.reads),
  dollars: use.reads * PRICES.dynamodbMillionReads,
});

const logs = ({ logBytes }: Use, of: string): CostRow => ({
  part: `CloudWatch, ${of}`,
  price: `${usd(PRICES.logsGigabyte)} per GB`,
  amount: `${logBytes} bytes`,
  dollars: (logBytes / 1_000) * PRICES.logsGigabyte,
});

/** Computes the cost of requests with this use, by service, at list prices. */
const requestCosts = (use: Use): readonly CostRow[] => [
  {
    part: 'API Gateway, REST',
    price: `${usd(PRICES.apiGateway[0].price)} per million`,
    dollars: PRICES.apiGateway[0].price,
  },
  {
    part: 'Lambda, requests',
    price: `${usd(PRICES.lambdaMillionRequests)} per million`,
    dollars: PRICES.lambdaMillionRequests,
  },
  {
    part: `Lambda, ${API_MEMORY_MB / 1_024} GB arm64`,
    price: `$${PRICES.lambdaGigabyteSecond} per GB-second`,
    amount: `${Math.ceil(use.durationMs)} ms`,
    dollars: executionDollars(use),
  },
  writes(use),
  reads(use),
  logs(use, 'function logs, access logs'),
  {
    part: `X-Ray, ${TRACED_SHARE * 100}% of the traces`,
    price: `${usd(PRICES.xrayMillionTraces)} per million traces`,
    dollars: TRACED_SHARE * PRICES.xrayMillionTraces,
  },
];

/**
 * Computes the cost of requests to an operation, by service.
 *
 * @param changes what differs from the usual use
 */
export const costsOf = (operation: OperationName, changes: Partial<Use> = {}): readonly CostRow[] =>
  requestCosts({ ...OPERATION_USE[operation].usual, ...changes });

const invocation = (name: FunctionName, use: Use): CostRow => {
  const { memoryMb } = limitsOf(name);
  return {
    part: `Lambda, \`${name}\``,
    amount: `1 request, ${use.durationMs} ms of ${memoryMb} MB`,
    dollars: PRICES.lambdaMillionRequests + executionDollars(use, memoryMb),
  };
};

const queue = (of: string): CostRow => ({
  part: `SQS: ${of}`,
  amount: '3 requests',
  dollars: 3 * PRICES.sqsMillionRequests,
});

const { payment, fanOut, delivery, abandonment } = EVENT_USE;

/** The costs of events, about carts below 1 KB and about the largest ones. */
interface EventCosts {
  readonly usual: readonly CostRow[];
  readonly largest: readonly CostRow[];
}

/** EventBridge bills each 64 KB as an event. The largest event has at most 160 KB (`test/lib/carts/cart-event.test.ts`). */
const LARGEST_BUS_EVENTS = Math.ceil(160 / 64);

const fanOutCosts = (use: Use, busEvents: number): readonly CostRow[] => [
  invocation('fan-out-events', use),
  reads(use, ": endpoints, store's name"),
  {
    part: "EventBridge, the service's own event",
    amount: `${busEvents} event${busEvents === 1 ? '' : 's'}`,
    dollars: busEvents * PRICES.busMillionEvents,
  },
];

/** The cost of events from the log to the bus. */
export const FAN_OUT_COSTS: EventCosts = {
  usual: fanOutCosts(fanOut, 1),
  largest: fanOutCosts(LARGEST_EVENT_USE.fanOut, LARGEST_BUS_EVENTS),
};

/** The cost of payments, each in an invocation of its own. */
export const PAYMENT_COSTS: readonly CostRow[] = [
  writes(payment, ': cart, claim, event and counter, in one transaction'),
  reads(payment, ': cart, counter'),
  queue('from the bus to the function'),
  invocation('record-payment', payment),
  logs(payment, "the function's logs"),
  ...FAN_OUT_COSTS.usual,
];

/** The cost of first attempts. */
export const DELIVERY_COSTS: readonly CostRow[] = [
  writes(delivery, ': lease, its release, the record'),
  reads(delivery, ': the event'),
  queue('send, receive, delete'),
  invocation('deliver-webhooks', delivery),
  logs(delivery, "the function's logs"),
];

const abandonmentCosts = (use: Use, fanOutRows: readonly CostRow[]): readonly CostRow[] => [
  writes(use),
  reads(use),
  ...fanOutRows,
];

/** The cost of carts that expire without a payment, on a quiet stage. */
export const ABANDONMENT_COSTS: EventCosts = {
  usual: abandonmentCosts(abandonment, FAN_OUT_COSTS.usual),
  largest: abandonmentCosts(LARGEST_EVENT_USE.abandonment, FAN_OUT_COSTS.largest),
};

/** The sum of the rows, each to the cent, as the tables show them. */
export const totalOf = (rows: readonly CostRow[]): number =>
  rows.reduce((cents, { dollars }) => cents + Math.round(100 * dollars), 0) / 100;
