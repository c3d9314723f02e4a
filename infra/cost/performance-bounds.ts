import type { OperationName } from '../../functions/operations.ts';
import type { FunctionName } from '../../functions/function-needs.ts';

/** The use of one request: milliseconds of the function, units of DynamoDB, and bytes of logs. */
export interface Amounts {
  readonly durationMs: number;
  readonly writes: number;
  readonly reads: number;
  readonly logBytes: number;
}

/**
 * The use of a request to an operation, rounded up. The costs of a flood and the executions that one key can hold follow from it.
 *
 * The milliseconds are the longest that a caller can cause, without a wait for the DNS. They include the CPU time at 0.58 of
 * a processor, measured with the largest carts and pages. A call of DynamoDB adds 5 ms, and a large one 20 ms. An event takes 100
 * ms, because up to five executions write the log of one store.
 */
export interface OperationUse {
  /**
   * With items below 1 KB. A page has 100 events or deliveries. A delivery has 20 attempts with 500 letters each.
   * `test/functions/consumed-capacity.test.ts` measures the units of merchants' operations. `endpoint-units.test.ts`
   * measures those of endpoints, for a store with ten of nearly 1 KB each. The units of the sandbox and of
   * the payment side are assumed.
   */
  readonly usual: Amounts;
  /**
   * About a cart that is as large as the API permits: 50 entries of `meta`, with 40 characters and 500 of four bytes each.
   * `test/functions/largest-units.test.ts` measures those of merchants. Those of the sandbox and of the payment side follow
   * from the sizes of cart and event. Absent if the request uses no more.
   */
  readonly largest?: Omit<Amounts, 'logBytes'>;
}

/** The operations whose requests make up the load. `infra/cost/model.ts` has their usual costs. */
export type LoadOperation = 'createCartCheckout' | 'getCart';

/** The use of each operation. The compiler reports a missing one. */
export const OPERATION_USE = {
  // A rejection in test mode that names products reads up to 2.5 units and writes one, which costs less.
  createCartCheckout: { largest: { durationMs: 40, writes: 116, reads: 0.5 } },
  getCart: { largest: { durationMs: 20, writes: 1, reads: 29 } },
  getPaymentCart: {
    usual: { durationMs: 20, writes: 0, reads: 1.5, logBytes: 500 },
    largest: { durationMs: 20, writes: 0, reads: 29.5 },
  },
  expireCart: {
    usual: { durationMs: 100, writes: 8, reads: 2, logBytes: 500 },
    largest: { durationMs: 100, writes: 462, reads: 30 },
  },
  listEvents: {
    usual: { durationMs: 60, writes: 1, reads: 26, logBytes: 500 },
    largest: { durationMs: 60, writes: 1, reads: 257 },
  },
  listProducts: { usual: { durationMs: 40, writes: 1, reads: 12, logBytes: 500 } },
  getProduct: { usual: { durationMs: 20, writes: 1, reads: 0.5, logBytes: 500 } },
  createWebhookEndpoint: { usual: { durationMs: 100, writes: 12, reads: 6, logBytes: 650 } },
  listWebhookEndpoints: { usual: { durationMs: 30, writes: 1, reads: 2, logBytes: 650 } },
  getWebhookEndpoint: { usual: { durationMs: 30, writes: 1, reads: 1, logBytes: 650 } },
  updateWebhookEndpoint: { usual: { durationMs: 100, writes: 9, reads: 4, logBytes: 650 } },
  deleteWebhookEndpoint: { usual: { durationMs: 100, writes: 9, reads: 2, logBytes: 650 } },
  rotateWebhookSecret: { usual: { durationMs: 100, writes: 9, reads: 3, logBytes: 650 } },
  testWebhookEndpoint: { usual: { durationMs: 30, writes: 2, reads: 1, logBytes: 650 } },
  listWebhookDeliveries: { usual: { durationMs: 60, writes: 1, reads: 257, logBytes: 650 } },
  resendWebhookDelivery: { usual: { durationMs: 30, writes: 2, reads: 5, logBytes: 650 } },
  openSandboxCheckout: {
    usual: { durationMs: 20, writes: 0, reads: 2, logBytes: 500 },
    largest: { durationMs: 20, writes: 0, reads: 30 },
  },
  submitSandboxCheckout: {
    usual: { durationMs: 110, writes: 12, reads: 3, logBytes: 500 },
    largest: { durationMs: 110, writes: 465, reads: 31 },
  },
} as const satisfies Readonly<
  Record<Exclude<OperationName, LoadOperation>, OperationUse> &
    Record<LoadOperation, Pick<OperationUse, 'largest'>>
>;

/** The medians of `npm run bench -- init` for a function's bundle. */
export interface BundleFigures {
  readonly kilobytes: number;
  /** The CPU time of its import, relative to the unmodified document client. */
  readonly importRatio: number;
  /** Whether it has clients of other AWS services. */
  readonly hasOtherClients?: true;
}

export const BUNDLES: Readonly<Record<FunctionName, BundleFigures>> = {
  'create-cart-checkout': { kilobytes: 291, importRatio: 1.048 },
  'get-cart': { kilobytes: 277, importRatio: 0.978 },
  'expire-cart': { kilobytes: 283, importRatio: 0.997 },
  'list-events': { kilobytes: 276, importRatio: 0.973 },
  products: { kilobytes: 273, importRatio: 0.973 },
  'webhook-endpoints': { kilobytes: 355, importRatio: 1.183, hasOtherClients: true },
  'sandbox-checkout': { kilobytes: 303, importRatio: 0.992 },
  'record-payment': { kilobytes: 306, importRatio: 1.029, hasOtherClients: true },
  canary: { kilobytes: 237, importRatio: 0.884 },
  'fan-out-events': { kilobytes: 318, importRatio: 1.057, hasOtherClients: true },
  'run-due': { kilobytes: 290, importRatio: 1.021, hasOtherClients: true },
  'deliver-webhooks': { kilobytes: 320, importRatio: 1.077, hasOtherClients: true },
};

/** Figures that hardly differ between runs: bytes, and ratios of programs that take turns. */
export interface Steady {
  readonly measure: string;
  /** The highest value that the requirements allow, if they name one. */
  readonly ceiling?: number;
  /** The medians measured, by name. */
  readonly medians: Readonly<Record<string, number>>;
}

/** The medians of functions. */
const mediansOf = (
  valueOf: (bundle: BundleFigures) => number | undefined,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(BUNDLES).flatMap(([name, bundle]) => {
      const value = valueOf(bundle);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** A value beyond this share of its median is a regression. */
const REGRESSION = 1.15;

/** The figures of `docs/performance.md` that have a bound. Update a median after a change that moves it for good. */
export const STEADY = {
  imports: {
    measure: 'CPU time to import a function, relative to the unmodified document client',
    ceiling: 1.1,
    medians: mediansOf(({ importRatio, hasOtherClients }) => (hasOtherClients ? undefined : importRatio)),
  },
  importsWithClients: {
    measure: 'The same with clients of other AWS services',
    ceiling: 1.25,
    medians: mediansOf(({ importRatio, hasOtherClients }) => (hasOtherClients ? importRatio : undefined)),
  },
  sizes: {
    measure: "Size of a function's bundle, in KB",
    ceiling: 340,
    medians: mediansOf(({ kilobytes }) => kilobytes),
  },
  overhead: {
    measure: 'CPU time of a request, relative to a bare function',
    ceiling: 1,
    medians: { getCart: 0.963, createCartCheckout: 0.935 },
  },
  firstRequest: {
    measure: 'First request of an environment, relative to a bare function',
    ceiling: 0.25,
    medians: { getCart: 0.184, createCartCheckout: 0.245 },
  },
  bodies: {
    measure: 'Mean CPU time of the most expensive requests, relative to an ordinary one',
    medians: { 'new key': 4.836 },
  },
} as const satisfies Readonly<Record<string, Steady>>;

/** The bound of a steady figure: 15 % above its median, and no more than a ceiling that the median meets. */
export const boundOf = ({ ceiling = Infinity, medians }: Steady, name: string): number => {
  const median = medians[name];
  if (median === undefined) throw new Error(`infra/cost/performance-bounds.ts has no median of ${name}.`);
  const bound = REGRESSION * median;
  return median > ceiling ? bound : Math.min(bound, ceiling);
};
