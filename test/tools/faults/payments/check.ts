import type { LoggedEvent } from '../../../../lib/events/logged-event.ts';
import type { ReceivedWebhook } from '../../../support/http/webhook-receiver.ts';
import type { BrokenRule } from '../broken-rule.ts';

/** The payments of a run, their events and the deliveries of these. */
export interface PaymentsHistory {
  /** The ids of the carts whose payment a bus has taken. */
  readonly paid: readonly string[];
  /** The store's log. */
  readonly events: readonly Pick<LoggedEvent, 'id' | 'type' | 'cartId'>[];
  readonly received: readonly Pick<ReceivedWebhook, 'headers' | 'status'>[];
}

/** Checks that faults of processes lose and repeat nothing. */
export const checkPayments = ({ paid, events, received }: PaymentsHistory): readonly BrokenRule[] => {
  const paidCarts: ReadonlySet<string | undefined> = new Set(paid);
  const byCart = Map.groupBy(events, ({ cartId }) => cartId);
  const delivered = new Set(
    received.filter(({ status }) => status === 204).map(({ headers }) => headers['webhook-id']),
  );
  const broken: readonly (readonly [rule: string, details: readonly string[]])[] = [
    [
      'each payment has exactly one event',
      [...new Set([...paidCarts, ...byCart.keys()])].flatMap((cartId) => {
        const types = (byCart.get(cartId) ?? []).map(({ type }) => type).join();
        const isRight = types === (paidCarts.has(cartId) ? 'cart.completed' : '');
        return isRight ? [] : [`cart ${cartId} has the events: ${types}`];
      }),
    ],
    [
      'each event has a webhook',
      events.flatMap(({ id }) => (delivered.has(id) ? [] : [`${id} was never delivered`])),
    ],
  ];
  return broken.flatMap(([rule, details]) => details.map((detail) => ({ rule, detail })));
};
