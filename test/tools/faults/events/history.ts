import type { CartEvent } from '../../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { LogId, LoggedEvent } from '../../../../lib/events/logged-event.ts';
import type { ReceivedWebhook } from '../../../support/http/webhook-receiver.ts';
import type { LoadEndpoint } from './stored.ts';
import type { Written } from './writers.ts';

/** A log after the run. */
export interface LogHistory {
  readonly log: LogId;
  /** In the order of their numbers. */
  readonly stored: readonly LoggedEvent[];
  /** The result of a reader that followed the cursor during the run. */
  readonly followed: readonly CartEvent[];
}

/** The changes of a run, their events and the deliveries of these. */
export interface EventsHistory {
  /** All stored carts. */
  readonly carts: readonly Cart[];
  readonly written: readonly Written[];
  readonly logs: readonly LogHistory[];
  readonly endpoints: readonly LoadEndpoint[];
  readonly received: readonly ReceivedWebhook[];
  /** In simulated time. */
  readonly endedAtMs: number;
  /** Whether all stored work was done in time. */
  readonly isSettled: boolean;
}
