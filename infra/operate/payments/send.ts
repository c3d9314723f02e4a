import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { previewPayment, recordPayment } from '../../../lib/carts/record-payment.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Context, Run } from '../command.ts';
import { outputOf } from '../stack-outputs.ts';
import type { Stage } from '../stage.ts';
import { until } from '../until.ts';
import { type SEND_PAYMENT, WAIT_SECONDS } from './commands.ts';
import { type ManualPayment, manualPayment } from './manual-payment.ts';

/** `duplicate`: recorded before. `sent`: on the bus, but not recorded within {@link WAIT_SECONDS}, which is a failure. */
type Outcome = 'recorded' | 'duplicate' | 'sent';

/** Puts the event on the bus of a deployed stage. */
const putEvent = async (stage: Stage, { detailType, detail }: ManualPayment): Promise<void> => {
  const eventBridge = new EventBridgeClient({});
  const entry = {
    EventBusName: outputOf(stage, 'EventBusName'),
    Source: outputOf(stage, 'PaymentSource'),
    DetailType: detailType,
    Detail: detail,
  };
  try {
    const { FailedEntryCount, Entries } = await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
    if (FailedEntryCount === 0) return;
    const { ErrorCode = 'no reason', ErrorMessage = '' } = Entries?.[0] ?? {};
    throw new OperatorError(`EventBridge rejected the event: ${ErrorCode}. ${ErrorMessage}`.trimEnd());
  } finally {
    eventBridge.destroy();
  }
};

/** Sends or records a payment. A payment that would be rejected is neither sent nor recorded. */
const deliver = async (payment: ManualPayment, context: Context): Promise<Outcome> => {
  const { stage, stores, pauses } = context;
  const { event } = payment;
  const handle = stage.outputs ? previewPayment : recordPayment;
  const handled = await handle(event, stores.payments[event.mode]);
  if (handled.outcome === 'rejected') {
    throw new OperatorError(
      `The service rejects this payment: ${handled.reason}. Nothing was recorded. docs/events.md explains the reasons.`,
    );
  }
  if (!stage.outputs || handled.outcome === 'duplicate') return handled.outcome;
  await putEvent(stage, payment);
  const recorded = await until(pauses, WAIT_SECONDS, async () => {
    const cart = await stores.findCart(event.cartId);
    return cart?.payments?.find(({ eventId }) => eventId === event.payment.eventId);
  });
  return recorded ? 'recorded' : 'sent';
};

const HEADLINES: Readonly<Record<Outcome, string>> = {
  recorded: 'The payment is recorded.',
  duplicate: 'The payment was recorded before. Nothing changed.',
  sent: 'The event is on the bus.',
};

export const run: Run<typeof SEND_PAYMENT> = async (options, context) => {
  const { cart, result, mode: requiredMode } = options;
  const { id: cartId, mode } = cart;
  if (requiredMode !== undefined && mode !== requiredMode) {
    throw new OperatorError(`The cart ${cartId} is a ${mode} cart: nothing was sent.`);
  }
  const payment = manualPayment(options, context.now());
  const { paymentId, eventId, amount, currency } = payment.event.payment;
  const kind = result === 'failed' ? 'failed' : 'successful';
  const what = `a ${kind} payment of ${amount} ${currency} for the live cart ${cartId}`;
  await context.confirm(`Sending ${what} on the stage ${context.stage.name}`, mode);
  const outcome = await context.change(
    { cartId, mode, result, paymentId, amount, currency },
    () => deliver(payment, context),
    (made) => ({ outcome: made }),
  );
  const { status } = statusAt((await context.stores.findCart(cartId)) ?? cart, context.now());
  const failure = `The payment is not recorded within ${WAIT_SECONDS} s: check \`carts show\` and \`dead-letters list\`.`;
  return {
    json: { outcome, cartId, mode, eventId, paymentId, amount, currency, status },
    lines: [HEADLINES[outcome], `Cart ${cartId}: ${status}`, `Payment ${paymentId}`, `Event ${eventId}`],
    ...(outcome === 'sent' && { failure }),
  };
};
