import type { CartEvent } from '../../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { LogId, LoggedEvent } from '../../../../lib/events/logged-event.ts';
import type { DeliveryRecord } from '../../../../lib/deliveries/delivery.ts';
import type { ReceivedWebhook } from '../../../support/webhook-receiver.ts';
import type { ReadFeed } from './reader.ts';
import type { LoadEndpoint } from './stored.ts';
import type { Written } from './writers.ts';

/** A log after the run. */
export interface LogHistory {
  readonly log: LogId;
  /** In the order of their numbers. */
  readonly stored: readonly LoggedEvent[];
  /** The result of a reader that starts after the run. */
  readonly feed: ReadFeed;
  /** The result of a reader that followed the cursor during the run. */
  readonly followed: readonly CartEvent[];
  /** The responses that the reader did not expect. */
  readonly surprises: readonly string[];
}

export interface EndpointHistory extends LoadEndpoint {
  readonly deliveries: readonly DeliveryRecord[];
}

/** The changes of a run, their events and the deliveries of these. */
export interface EventsHistory {
  /** All stored carts. */
  readonly carts: readonly Cart[];
  /** By the id of the cart. */
  readonly written: ReadonlyMap<string, Pick<Written, 'arrival' | 'plan' | 'failure'>>;
  readonly logs: readonly LogHistory[];
  readonly endpoints: readonly EndpointHistory[];
  readonly received: readonly ReceivedWebhook[];
  /** The simulated time at a time of the machine. */
  readonly clockAt: (machineMs: number) => number;
  /** In simulated time. */
  readonly endedAtMs: number;
  /** Whether all stored work was done in time. */
  readonly isSettled: boolean;
}
