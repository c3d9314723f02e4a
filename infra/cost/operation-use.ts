import type { OperationName } from '../../functions/operations.ts';

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
