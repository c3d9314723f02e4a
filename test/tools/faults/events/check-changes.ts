import { eventIdOf, type CartChange } from '../../../../lib/carts/cart-event.ts';
import { applyPayment } from '../../../../lib/carts/cart-lifecycle.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { releaseRefund } from '../../../../lib/carts/cart-refunds.ts';
import type { Payment } from '../../../../lib/carts/payment.ts';
import type { EventsHistory } from './history.ts';
import type { Report } from './payment-side.ts';
import type { Step } from './plan.ts';
import { type BrokenRule, listBroken } from '../history.ts';

/** The service records an abandonment within two minutes. */
const ABANDONMENT_MAX_MS = 120_000;

/** The events of a cart. `may`: the order of arrival decides, and it is unknown. */
interface Expected {
  readonly must: readonly string[];
  readonly may: readonly string[];
  /** Why the stored cart does not follow from its payments. */
  readonly issue?: string;
}

const withoutPayments = (cart: Cart): Cart => {
  const { paymentId: _, latePayment: __, payments: ___, ...unpaid } = cart;
  return { ...unpaid, status: 'waiting_payment', updatedAtMs: cart.createdAtMs };
};

const paymentEvent = (cart: Cart, type: CartChange['type'], { eventId }: Payment): string =>
  eventIdOf({ type, cart, cause: eventId });

/** The events of payments that arrived in this order. */
const eventsInOrder = (cart: Cart, payments: readonly Payment[]): Expected => {
  const must: string[] = [];
  let current = withoutPayments(cart);
  for (const payment of payments) {
    const applied = applyPayment(current, payment);
    if (applied.outcome !== 'recorded') return { must, may: [], issue: 'it has a payment twice' };
    if (applied.event) must.push(paymentEvent(cart, applied.event.type, payment));
    current = applied.cart;
  }
  const isSame = current.status === cart.status && current.paymentId === cart.paymentId;
  return { must, may: [], ...(!isSame && { issue: 'its status does not follow from its payments' }) };
};

/** The events of payments that arrived in an unknown order. Only failures depend on it. */
const eventsInAnyOrder = (cart: Cart, payments: readonly Payment[]): Expected => {
  const must: string[] = [];
  const may: string[] = [];
  for (const payment of payments) {
    const { result, paymentId, occurredAtMs } = payment;
    if (result === 'succeeded') {
      const type = paymentId === cart.paymentId ? 'cart.completed' : 'cart.duplicate_payment';
      must.push(paymentEvent(cart, type, payment));
      continue;
    }
    const isLast = payments.every((other) => other.result === 'failed' && other.occurredAtMs <= occurredAtMs);
    (isLast ? must : may).push(paymentEvent(cart, 'cart.payment_failed', payment));
  }
  return { must, may };
};

const idOf = (report: Report): string => ('refundId' in report ? report.refundId : report.eventId);

const sentReports = (steps: readonly Step[]): readonly Report[] =>
  steps.flatMap((step) => (step.by === 'writer' ? [step.report] : []));

/** One event for each refund that has taken effect. */
const refundsOf = (cart: Cart): Expected => {
  const { refunds = [], earlyRefunds = [] } = cart;
  const ids = [...refunds, ...earlyRefunds].map(({ refundId }) => refundId);
  const must = refunds.map(({ refundId }) => eventIdOf({ type: 'cart.refunded', cart, cause: refundId }));
  if (new Set(ids).size < ids.length) return { must, may: [], issue: 'it has a refund twice' };
  if (releaseRefund(cart)) return { must, may: [], issue: 'a refund waits although its payment is recorded' };
  return { must, may: [] };
};

const expectedOf = (cart: Cart, { written }: EventsHistory): Expected => {
  const { payments = [] } = cart;
  const { arrival = 'asDated', plan } = written.get(cart.id) ?? {};
  if (arrival === 'unknown') return eventsInAnyOrder(cart, payments);
  if (arrival === 'asDated') return eventsInOrder(cart, payments);
  const order = sentReports(plan?.steps ?? []).map(idOf);
  return eventsInOrder(
    cart,
    payments.toSorted((a, b) => order.indexOf(a.eventId) - order.indexOf(b.eventId)),
  );
};

const abandonmentOf = (cart: Cart, { endedAtMs }: EventsHistory): Expected => {
  const { abandonmentRecordedAtMs, expiresAtMs, payments } = cart;
  if (abandonmentRecordedAtMs !== undefined) {
    const cause = `expiry ${expiresAtMs}`;
    return { must: [eventIdOf({ type: 'cart.abandoned', cart, cause })], may: [] };
  }
  const isMissing = payments === undefined && expiresAtMs < endedAtMs - ABANDONMENT_MAX_MS;
  return { must: [], may: [], ...(isMissing && { issue: 'its abandonment is not recorded' }) };
};

/** Compares the stored carts with the stored events, in both directions. */
export const checkChanges = (history: EventsHistory): BrokenRule[] => {
  const { carts, logs, written } = history;
  const stored = Map.groupBy(
    logs.flatMap((log) => log.stored),
    ({ id }) => id,
  );
  const expected = carts.flatMap((cart) =>
    [expectedOf(cart, history), abandonmentOf(cart, history), refundsOf(cart)].map((each) => ({
      cart,
      ...each,
    })),
  );
  const known = new Set(expected.flatMap(({ must, may }) => [...must, ...may]));
  const storedReports = new Set(
    carts.flatMap(({ payments = [], refunds = [], earlyRefunds = [] }) =>
      [...payments, ...refunds, ...earlyRefunds].map(idOf),
    ),
  );
  const countOf = (id: string): number => stored.get(id)?.length ?? 0;
  return [
    ...listBroken('each cart is right', expected, ({ cart, issue }) => issue && `cart ${cart.id}: ${issue}`),
    ...expected.flatMap(({ cart, must }) =>
      listBroken(
        'each change has exactly one event',
        must,
        (id) => countOf(id) !== 1 && `cart ${cart.id} has ${countOf(id)} events ${id}`,
      ),
    ),
    ...listBroken(
      'each event has its change',
      [...stored],
      ([id, [event]]) => !known.has(id) && `${event?.type} ${id} of cart ${event?.cartId}`,
    ),
    ...listBroken('each writer succeeds in the end', [...written.values()], ({ failure }) => failure),
    ...[...written.values()].flatMap(({ failure, plan }) =>
      listBroken(
        'each confirmed payment and refund is stored',
        sentReports(failure === undefined ? plan.steps : []).map(idOf),
        (id) => !storedReports.has(id) && `${id} of cart ${plan.cart.id}`,
      ),
    ),
  ];
};
