/** How a receiver fails. */
export interface ReceiverFault {
  /** Before each response. */
  readonly delayMs: number;
  /** The part of the responses that are 500, from 0 to 1. */
  readonly failedShare: number;
}

export const NO_RECEIVER_FAULT: ReceiverFault = { delayMs: 0, failedShare: 0 };

/** A delivery that the receiver got. */
export interface Received {
  /** The id of the webhook endpoint: the path of its address. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>>;
  readonly body: string;
  readonly status: number;
  /** By the machine's clock. */
  readonly atMs: number;
}
