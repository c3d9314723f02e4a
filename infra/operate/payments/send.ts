import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { previewPayment } from '../../../lib/carts/record-payment.ts';
import type { PaymentEvent } from '../../../lib/carts/payment-event.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { LOCAL_BUS } from '../../local/local-database.ts';
import { describeAmount } from '../../describe-price.ts';
import { OperatorError } from '../../operator-error.ts';
import { PAYMENT_SOURCE } from '../../payment-senders.ts';
import type { Context, Action } from '../command.ts';
import { callStage, clientConfigOf } from '../queues.ts';
import { outputOf, type Stage } from '../stage.ts';
import { until } from '../until.ts';
import { type PAYMENTS, WAIT_SECONDS } from './commands.ts';
import { type ManualPayment, manualPayment } from './manual-payment.ts';

/** `alreadyRecorded`: nothing changed. `sent`: on the bus, but not recorded within {@link WAIT_SECONDS}, which is a failure. */
type Outcome = 'recorded' | 'alreadyRecorded' | 'sent';

/** The bus of a stage, and the source of its payment events. */
const busOf = (stage: Stage) =>
  stage.localEndpoint === undefined
    ? { EventBusName: outputOf(stage, 'EventBusName'), Source: outputOf(stage, 'PaymentSource') }
    : { EventBusName: LOCAL_BUS, Source: PAYMENT_SOURCE };

/** Puts the event on the bus of a stage. */
const putEvent = async (stage: Stage, { detailType, detail }: ManualPayment): Promise<void> => {
  const eventBridge = new EventBridgeClient(clientConfigOf(stage));
  const entry = { ...busOf(stage), DetailType: detailType, Detail: detail };
  try {
    const command = new PutEventsCommand({ Entries: [entry] });
    const { FailedEntryCount, Entries } = await callStage(stage, () => eventBridge.send(command));
    if (FailedEntryCount === 0) return;
    const { ErrorCode = 'no reason', ErrorMessage = '' } = Entries?.[0] ?? {};
    throw new OperatorError(`EventBridge rejected the event: ${ErrorCode}. ${ErrorMessage}`.trimEnd());
  } finally {
    eventBridge.destroy();
  }
};

/** Whether a cart has the payment or the refund of an event. */
const hasRecorded = (cart: Cart | undefined, { payment, refund }: PaymentEvent): boolean => {
  const { payments = [], refunds = [], earlyRefunds = [] } = cart ?? {};
  return refund
    ? [...refunds, ...earlyRefunds].some(({ refundId }) => refundId === refund.refundId)
    : payments.some(({ eventId }) => eventId === payment.eventId);
};

/** Sends a payment or a refund, unless it would be rejected or is recorded. Waits until the stage has recorded it. */
const deliver = async (payment: ManualPayment, { stage, stores, pauses }: Context): Promise<Outcome> => {
  const { event } = payment;
  const preview = await previewPayment(event, stores.payments[event.mode]);
  if (preview.outcome === 'rejected') {
    throw new OperatorError(
      `The service rejects this payment: ${preview.reason}. Nothing was recorded. docs/events.md explains the reasons.`,
    );
  }
  if (preview.outcome === 'alreadyRecorded') return 'alreadyRecorded';
  await putEvent(stage, payment);
  const recorded = await until(
    pauses,
    WAIT_SECONDS,
    async () => hasRecorded(await stores.findCart(event.cartId), event) || undefined,
  );
  return recorded ? 'recorded' : 'sent';
};

const HEADLINES: Readonly<Record<Outcome, string>> = {
  recorded: 'The payment is recorded.',
  alreadyRecorded: 'The payment was recorded before. Nothing changed.',
  sent: 'The event is on the bus.',
};

const KINDS = {
  succeeded: 'a successful payment',
  failed: 'a failed payment',
  refunded: 'a refund',
} as const;

/** The lines that name what was sent. */
const describeIds = ({ payment, refund }: PaymentEvent): readonly string[] =>
  refund
    ? [`Payment ${refund.paymentId}`, `Refund ${refund.refundId}`]
    : [`Payment ${payment.paymentId}`, `Event ${payment.eventId}`];

export const send: Action<typeof PAYMENTS.send> = async (options, context) => {
  const { cart, result, mode: requiredMode } = options;
  const { id: cartId, mode } = cart;
  if (requiredMode !== undefined && mode !== requiredMode) {
    throw new OperatorError(`The cart ${cartId} is a ${mode} cart: nothing was sent.`);
  }
  const payment = manualPayment(options, context.now());
  const { event } = payment;
  const { paymentId, amount, currency } = event.payment ?? event.refund;
  const ids = { eventId: event.payment?.eventId, refundId: event.refund?.refundId, paymentId };
  const what = `${KINDS[result]} of ${describeAmount({ amount, currency })} for the live cart ${cartId}`;
  await context.confirm(`Sending ${what} on the stage ${context.stage.name}`, mode);
  const outcome = await context.change(
    { cartId, mode, result, paymentId, amount, currency },
    () => deliver(payment, context),
    (made) => ({ outcome: made }),
  );
  const { status } = statusAt((await context.stores.findCart(cartId)) ?? cart, context.now());
  const failure = `The payment is not recorded within ${WAIT_SECONDS} s: check \`carts show\` and \`dead-letters list\`.`;
  return {
    json: { outcome, cartId, mode, ...ids, amount, currency, status },
    lines: [HEADLINES[outcome], `Cart ${cartId}: ${status}`, ...describeIds(event)],
    ...(outcome === 'sent' && { failure }),
  };
};
