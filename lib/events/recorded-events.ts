import { channel } from 'node:diagnostics_channel';

/**
 * Publishes every `LoggedEvent` that this process records, for the local stage. A deployed stage reads the stream of the
 * events' table instead.
 */
export const recordedEvents = channel('cart-checkout.event-recorded');
