import { hash, randomUUID } from 'node:crypto';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import { unitsLeft } from '../../../lib/carts/cart-refunds.ts';
import { parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import { previewPayment } from '../../../lib/carts/record-payment.ts';
import { fromMinorUnits } from '../../../lib/products/price.ts';
import { UsageError } from '../../command-line.ts';
import { describeAmount } from '../../describe-price.ts';
import { OperatorError } from '../../operator-error.ts';
import type { Action, Context, OptionsOf } from '../command.ts';
import { isoTime } from '../output.ts';
import { clientConfigOf } from '../queues.ts';
import { outputOf, type Stage } from '../stage.ts';
import { until } from '../until.ts';
import { type PAYMENTS, WAIT_SECONDS } from './commands.ts';

type SendOptions = OptionsOf<typeof PAYMENTS.send>;

/** A UUIDv4 from the event's id alone, so that a repeated event is about the same payment (RFC 9562, 5.4). */
const paymentIdOf = (eventId: string): string =>
  hash('sha256', `payment of ${eventId}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5');

/** The fields of a payment. The id of a recorded event gives its payment again. */
const paymentOf = ({ cart, eventId = `operate-${randomUUID()}`, paymentId, failureReason }: SendOptions) => {
  const recorded = cart.payments?.find((payment) => payment.eventId === eventId);
  return {
    eventId,
    paymentId: paymentId ?? recorded?.paymentId ?? paymentIdOf(eventId),
    failureReason: failureReason ?? recorded?.failureReason,
    recorded,
    defaultAmount: cart.price.amount,
  };
};

/** The fields of a refund. The id of a recorded refund gives it again. */
const refundOf = ({ cart, refundId = `operate-${randomUUID()}`, ...options }: SendOptions) => {
  const { refunds = [], earlyRefunds = [], price } = cart;
  const recorded = [...refunds, ...earlyRefunds].find((refund) => refund.refundId === refundId);
  const paymentId = options.paymentId ?? recorded?.paymentId ?? cart.paymentId;
  const defaultAmount = fromMinorUnits(unitsLeft(cart, paymentId), price.currency);
  return { refundId, paymentId, recorded, defaultAmount };
};

/**
 * Creates the event of a payment or a refund of a cart, as EventBridge accepts it, and as the service parses it. Once an event is
 * recorded, its id gives the same event again.
 *
 * @throws UsageError if the service would not accept its form
 */
const manualPayment = (options: SendOptions, nowMs: number) => {
  const { cart, result, amount, occurredAt } = options;
  const { recorded, defaultAmount, ...ids } = result === 'refunded' ? refundOf(options) : paymentOf(options);
  const DetailType = `payment.${result}`;
  const detail = {
    ...ids,
    cartId: cart.id,
    mode: cart.mode,
    amount: amount ?? recorded?.amount ?? defaultAmount,
    currency: cart.price.currency,
    occurredAt: isoTime(occurredAt ?? recorded?.occurredAtMs ?? nowMs),
  };
  const parsed = parsePaymentEvent(JSON.stringify({ 'detail-type': DetailType, detail }), nowMs);
  if (parsed.ok) return { entry: { DetailType, Detail: JSON.stringify(detail) }, event: parsed.event };
  throw new UsageError(
    parsed.reason === 'futurePayment'
      ? 'The payment would be more than 5 minutes in the future: check --occurred-at.'
      : 'The payment is not valid: check the forms. --payment-id: a UUID in lower case. --event-id and --refund-id: 1 to 128 characters. --amount: 0, or at least 0.0001. Of a refund: above 0, and no more decimals than the currency.',
  );
};

type ManualPayment = ReturnType<typeof manualPayment>;

/** `alreadyRecorded`: nothing changed. `sent`: on the bus, but not recorded within {@link WAIT_SECONDS}, which is a failure. */
type Outcome = 'recorded' | 'alreadyRecorded' | 'sent';

const putEvent = async (stage: Stage, entry: ManualPayment['entry']): Promise<void> => {
  const eventBridge = new EventBridgeClient(clientConfigOf(stage));
  const bus = { EventBusName: outputOf(stage, 'EventBusName'), Source: outputOf(stage, 'PaymentSource') };
  const command = new PutEventsCommand({ Entries: [{ ...bus, ...entry }] });
  const { FailedEntryCount, Entries } = await eventBridge.send(command);
  if (FailedEntryCount === 0) return;
  const { ErrorCode = 'no reason', ErrorMessage = '' } = Entries?.[0] ?? {};
  throw new OperatorError(`EventBridge rejected the event: ${ErrorCode}. ${ErrorMessage}`.trimEnd());
};

/** Sends a payment or a refund, unless it would be rejected or is recorded. Waits until the stage has recorded it. */
const deliver = async (
  { entry, event }: ManualPayment,
  { stage, stores, pauses }: Context,
): Promise<Outcome> => {
  const preview = () => previewPayment(event, stores.payments[event.mode]);
  const before = await preview();
  if (before.outcome === 'rejected') {
    throw new OperatorError(
      `The service rejects this payment: ${before.reason}. Nothing was recorded. docs/events.md explains the reasons.`,
    );
  }
  if (before.outcome === 'alreadyRecorded') return 'alreadyRecorded';
  await putEvent(stage, entry);
  const isRecorded = async () => (await preview()).outcome === 'alreadyRecorded' || undefined;
  return (await until(pauses, WAIT_SECONDS, isRecorded)) ? 'recorded' : 'sent';
};

const headlineOf = (outcome: Outcome, subject: string): string =>
  ({
    recorded: `The ${subject} is recorded.`,
    alreadyRecorded: `The ${subject} was recorded before. Nothing changed.`,
    sent: 'The event is on the bus.',
  })[outcome];

const KINDS: Readonly<Record<SendOptions['result'], string>> = {
  succeeded: 'a successful payment',
  failed: 'a failed payment',
  refunded: 'a refund',
};

export const send: Action<typeof PAYMENTS.send> = async (options, context) => {
  const { cart, result } = options;
  const { id: cartId, mode } = cart;
  const payment = manualPayment(options, context.now());
  const { event } = payment;
  const { paymentId, amount, currency } = event.payment ?? event.refund;
  const { eventId, refundId } = { ...event.payment, ...event.refund };
  const what = `${KINDS[result]} of ${describeAmount({ amount, currency })} for the live cart ${cartId}`;
  await context.confirm(`Reporting ${what} on the stage ${context.stage.name}`, mode);
  const outcome = await context.change(
    { cartId, mode, result, paymentId, amount, currency },
    () => deliver(payment, context),
    (made) => ({ outcome: made }),
  );
  const { status } = statusAt((await context.stores.findCart(cartId)) ?? cart, context.now());
  const subject = result === 'refunded' ? 'refund' : 'payment';
  const failure = `The ${subject} is not recorded within ${WAIT_SECONDS} s: check \`carts show\` and \`dead-letters list\`.`;
  return {
    json: { outcome, cartId, mode, eventId, refundId, paymentId, amount, currency, status },
    lines: [
      headlineOf(outcome, subject),
      `Cart ${cartId}: ${status}`,
      `Payment ${paymentId}`,
      refundId === undefined ? `Event ${eventId}` : `Refund ${refundId}`,
    ],
    ...(outcome === 'sent' && { failure }),
  };
};
