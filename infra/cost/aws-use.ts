import type { FunctionName } from '../../functions/function-needs.ts';
import { type Operation, type OperationName, OPERATIONS } from '../../functions/operations.ts';

/** The use of AWS by one request, event or run. Every cost follows from it. */
export interface Use {
  /** Milliseconds of the function. */
  readonly durationMs: number;
  /** Units of DynamoDB. */
  readonly writes: number;
  readonly reads: number;
  /** Bytes of the log lines of function and gateway. */
  readonly logBytes: number;
}

/**
 * The use of a request. The executions that one key can hold follow from it too.
 *
 * The milliseconds are the longest that a caller can cause, without a wait for the DNS. Only the usual creation and retrieval have
 * measured ones. They include the CPU time at 0.58 of a processor, measured with the largest carts and pages. A call of DynamoDB
 * adds 5 ms, and a large one 20 ms. An event takes 100 ms, because up to five executions write the log of one store.
 */
interface StatedUse {
  /**
   * With items below 1 KB. A page has 100 events or deliveries. A delivery has 20 attempts with 500 letters each.
   * `test/functions/consumed-capacity.test.ts` measures the units of merchants' operations. `endpoint-units.test.ts`
   * measures those of endpoints, for a store with ten of nearly 1 KB each, and `largest-units.test.ts` those of the sandbox
   * and of the payment side.
   */
  readonly usual: Omit<Use, 'logBytes'> & Partial<Use>;
  /**
   * About a cart that is as large as the API permits: 50 entries of `meta`, with 40 characters and 500 of four bytes each.
   * The sandbox has added as many payments and refunds as a cart can have. `test/functions/largest-units.test.ts` measures the
   * units. Absent if the request uses no more.
   */
  readonly largest?: Omit<Use, 'logBytes'>;
  /** The most events that a request adds to the log. Absent if it adds none. */
  readonly events?: number;
}

type Listing = Extract<OperationName, `list${string}`>;

/**
 * The use of a listing that states no other one: a page of 100 items below 1 KB, by a query with 4 KB for each unit. The milliseconds
 * are those of a page of products.
 */
const PAGE = { usual: { durationMs: 40, writes: 1, reads: 26 } } as const;

/**
 * The use of the operations. The compiler reports a missing one, unless it is a listing.
 *
 * The usual milliseconds of a creation and a retrieval are those of a warm request with 1,024 MB, which have 0.58 of a
 * processor, and 2 ms for each of DynamoDB's responses. `npm run bench -- first-request` measured them on 2026-11-22, on 2 x
 * Intel Xeon.
 */
const STATED = {
  // A rejection in test mode that names products reads up to 2.5 units and writes one, which costs less.
  createCartCheckout: {
    usual: { durationMs: 10.3, writes: 3, reads: 0.5, logBytes: 543 },
    largest: { durationMs: 40, writes: 116, reads: 0.5 },
  },
  getCart: {
    usual: { durationMs: 8.6, writes: 1, reads: 1, logBytes: 491 },
    largest: { durationMs: 20, writes: 1, reads: 38 },
  },
  getPaymentCart: {
    usual: { durationMs: 20, writes: 0, reads: 1.5 },
    largest: { durationMs: 20, writes: 0, reads: 38.5 },
  },
  expireCart: {
    usual: { durationMs: 100, writes: 8, reads: 2 },
    largest: { durationMs: 100, writes: 462, reads: 30 },
    events: 1,
  },
  listEvents: {
    usual: { durationMs: 60, writes: 1, reads: 26 },
    largest: { durationMs: 60, writes: 1, reads: 257 },
  },
  listProducts: { usual: { durationMs: 40, writes: 1, reads: 12 } },
  getProduct: { usual: { durationMs: 20, writes: 1, reads: 0.5 } },
  createWebhookEndpoint: { usual: { durationMs: 100, writes: 12, reads: 6 }, events: 1 },
  listWebhookEndpoints: { usual: { durationMs: 30, writes: 1, reads: 2 } },
  getWebhookEndpoint: { usual: { durationMs: 30, writes: 1, reads: 1 } },
  updateWebhookEndpoint: { usual: { durationMs: 100, writes: 9, reads: 4 }, events: 1 },
  deleteWebhookEndpoint: { usual: { durationMs: 100, writes: 9, reads: 2 }, events: 1 },
  rotateWebhookSecret: { usual: { durationMs: 100, writes: 9, reads: 3 }, events: 1 },
  testWebhookEndpoint: { usual: { durationMs: 30, writes: 2, reads: 1 } },
  listWebhookDeliveries: { usual: { durationMs: 60, writes: 1, reads: 257 } },
  resendWebhookDelivery: { usual: { durationMs: 30, writes: 2, reads: 5 } },
  openSandboxCheckout: {
    usual: { durationMs: 20, writes: 0, reads: 1.5 },
    largest: { durationMs: 20, writes: 0, reads: 38.5 },
  },
  // `pay_twice` records two payments. Two write units take a token of the cart. The milliseconds are those of one payment.
  submitSandboxCheckout: {
    usual: { durationMs: 110, writes: 20, reads: 5 },
    largest: { durationMs: 110, writes: 1_086, reads: 116 },
    events: 2,
  },
} as const satisfies Readonly<
  Record<Exclude<OperationName, Listing>, StatedUse> & Partial<Record<Listing, StatedUse>>
>;

/** At most, for an operation that states none. With the route, it is more. `log-bytes.test.ts` measures those of merchants. */
const logBytesOf = ({ loggedAs }: Operation): number => (loggedAs === undefined ? 500 : 650);

type StatedUseOf<Name> = Name extends keyof typeof STATED ? (typeof STATED)[Name] : typeof PAGE;

const useOf = (name: OperationName) => {
  const stated: Readonly<Partial<Record<OperationName, StatedUse>>> = STATED;
  const { usual, ...rest } = stated[name] ?? PAGE;
  return { ...rest, usual: { logBytes: logBytesOf(OPERATIONS[name]), ...usual } };
};

/** The use of each operation. */
export const OPERATION_USE = Object.fromEntries(
  Object.keys(OPERATIONS).map((name) => [name, useOf(name as OperationName)]),
) as { readonly [Name in OperationName]: StatedUseOf<Name> & { readonly usual: Use } };

/** The operations whose use is that of a page. It is an upper bound. */
export const PAGES = (Object.keys(OPERATIONS) as OperationName[]).filter((name) => !(name in STATED));

const statedOf = (name: OperationName): StatedUse & { readonly usual: Use } => OPERATION_USE[name];

/** The most that a request to an operation can use, besides its events. */
export const largestUseOf = (name: OperationName): Use => {
  const { usual, largest } = statedOf(name);
  return { ...usual, ...largest };
};

/** The most events that a request to an operation adds to the log. */
export const eventsOf = (name: OperationName): number => statedOf(name).events ?? 0;

/**
 * The use of each event, handled by itself, with items below 1 KB. `test/functions/consumed-capacity.test.ts` measures the
 * units, and `deliver-webhooks/delivery-units.test.ts` those of a delivery. The milliseconds are assumed, with a receiver that
 * takes 200 ms.
 */
export const EVENT_USE = {
  payment: { durationMs: 20, writes: 10, reads: 2, logBytes: 357 },
  /** From the log to the bus. */
  fanOut: { durationMs: 50, writes: 0, reads: 1.5, logBytes: 0 },
  delivery: { durationMs: 260, writes: 3, reads: 1, logBytes: 434 },
  /** On a quiet stage, where it is the only one of its transaction. It is part of a run. */
  abandonment: { durationMs: 0, writes: 7, reads: 2, logBytes: 0 },
} as const satisfies Readonly<Record<string, Use>>;

/**
 * The use of an event about a largest cart. `test/functions/largest-units.test.ts` measures the units. The milliseconds are
 * assumed.
 */
export const LARGEST_EVENT_USE = {
  /** With ten endpoints, whose addresses are the longest. */
  fanOut: { durationMs: 100, writes: 0, reads: 2.5, logBytes: 0 },
  abandonment: { durationMs: 0, writes: 461, reads: 30, logBytes: 0 },
} as const satisfies Readonly<Record<string, Use>>;

/** The use of each function that a rule invokes every minute, on an unused stage. The milliseconds are assumed. */
export const RUN_USE = {
  // 64 queries (`test/functions/event-permissions.test.ts`), of half a read unit each (`test/functions/expiry-cost.test.ts`).
  'run-timers': { durationMs: 150, writes: 0, reads: 32, logBytes: 0 },
  /** Without its two requests, and the expiry of its cart. */
  canary: { durationMs: 150, writes: 0, reads: 1, logBytes: 0 },
} as const satisfies Readonly<Partial<Record<FunctionName, Use>>>;

/** The parts of a load, from 0 to 1. A merchant creates a cart, then retrieves it three times. */
export const LOAD_SHARES = { createCartCheckout: 1 / 4, getCart: 3 / 4 } as const;

/** The operations whose requests make up a load. */
export type LoadOperation = keyof typeof LOAD_SHARES;
