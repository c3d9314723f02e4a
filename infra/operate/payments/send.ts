import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type Command, Option } from 'commander';
import type { Mode } from '../../../lib/core/mode.ts';
import { parseCartId } from '../../../lib/carts/cart-id.ts';
import { statusAt } from '../../../lib/carts/cart-lifecycle.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createPaymentStores, inStoresOf } from '../../../lib/carts/payment-stores.ts';
import { previewPayment, recordPayment } from '../../../lib/carts/record-payment.ts';
import { UsageError } from '../../command-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { paymentTablesOf } from '../../payment-tables.ts';
import { recordChange } from '../audit/record.ts';
import { allCarts } from '../carts/all-carts.ts';
import { confirmLive } from '../confirm.ts';
import { type CommonFlags, type Host, parseAmount, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { requireOutput, type StackOutputs } from '../stack-outputs.ts';
import { findStage, type Stage } from '../stage.ts';
import { until } from '../until.ts';
import { type ManualPayment, manualPayment, type PaymentFlags } from './manual-payment.ts';

interface SendFlags extends CommonFlags, YesFlag, PaymentFlags {
  readonly cart: string;
  readonly mode?: Mode;
}

/** `duplicate`: recorded before. `sent`: on the bus, but not recorded within {@link WAIT_SECONDS}, which is a failure. */
type Outcome = 'recorded' | 'duplicate' | 'sent';

const WAIT_SECONDS = 15;

const findCart = async (host: Host, stage: Stage, { cart: id, mode }: SendFlags): Promise<Cart> => {
  const cartId = parseCartId(id);
  if (cartId === undefined) throw new UsageError('A cart id is a UUID, as in the response to its creation.');
  const cart = await allCarts(stage, host.now).find(cartId);
  if (!cart) throw new OperatorError(`No cart has the id ${cartId}.`);
  if (mode === undefined || cart.mode === mode) return cart;
  throw new OperatorError(`The cart ${cartId} is a ${cart.mode} cart: nothing was sent.`);
};

const rejected = (reason: string): OperatorError =>
  new OperatorError(
    `The service rejects this payment: ${reason}. Nothing was recorded. docs/events.md explains the reasons.`,
  );

/** Puts the event on the bus of a deployed stage. */
const putEvent = async (outputs: StackOutputs, name: string, payment: ManualPayment): Promise<void> => {
  const eventBridge = new EventBridgeClient({});
  const entry = {
    EventBusName: requireOutput(outputs, 'EventBusName', name),
    Source: requireOutput(outputs, 'PaymentSource', name),
    DetailType: payment.detailType,
    Detail: payment.detail,
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
const deliver = async (host: Host, stage: Stage, payment: ManualPayment): Promise<Outcome> => {
  const { event } = payment;
  const stores = createPaymentStores(stage.documents, paymentTablesOf(stage.tableNames), host);
  if (!stage.outputs) {
    const recorded = await inStoresOf(event, stores, recordPayment);
    if (recorded.outcome === 'rejected') throw rejected(recorded.reason);
    return recorded.outcome;
  }
  const preview = await inStoresOf(event, stores, previewPayment);
  if (preview.outcome === 'rejected') throw rejected(preview.reason);
  if (preview.outcome === 'duplicate') return 'duplicate';
  await putEvent(stage.outputs, stage.name, payment);
  const recorded = await until(host, WAIT_SECONDS, async () => {
    const cart = await allCarts(stage, host.now).find(event.cartId);
    return cart?.payments?.find(({ eventId }) => eventId === event.payment.eventId);
  });
  return recorded ? 'recorded' : 'sent';
};

const HEADLINES: Readonly<Record<Outcome, string>> = {
  recorded: 'The payment is recorded.',
  duplicate: 'The payment was recorded before. Nothing changed.',
  sent: 'The event is on the bus.',
};

const sendPayment = async (host: Host, flags: SendFlags): Promise<void> => {
  const stage = await findStage(flags, host.clock);
  const cart = await findCart(host, stage, flags);
  const payment = manualPayment(cart, flags, host.now());
  const { paymentId, eventId, amount, currency } = payment.event.payment;
  const kind = flags.result === 'failed' ? 'failed' : 'successful';
  const what = `a ${kind} payment of ${amount} ${currency} for the live cart ${cart.id}`;
  await confirmLive(host, `Sending ${what} on the stage ${stage.name}`, { mode: cart.mode, ...flags });
  const ids = { cartId: cart.id, mode: cart.mode, result: flags.result, paymentId, amount, currency };
  const outcome = await recordChange(
    host,
    stage,
    { command: 'payments send', ids },
    () => deliver(host, stage, payment),
    (made) => ({ outcome: made }),
  );
  const after = (await allCarts(stage, host.now).find(cart.id)) ?? cart;
  const { status } = statusAt(after, host.now());
  await print(
    host,
    flags.json,
    { outcome, cartId: cart.id, mode: cart.mode, eventId, paymentId, amount, currency, status },
    [HEADLINES[outcome], `Cart ${cart.id}: ${status}`, `Payment ${paymentId}`, `Event ${eventId}`],
  );
  if (outcome !== 'sent') return;
  throw new OperatorError(
    `The payment is not recorded within ${WAIT_SECONDS} s: check \`carts show\` and \`dead-letters list\`.`,
  );
};

const HELP = `
Examples:
  npm run operate -- payments send --cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --result succeeded
  npm run operate -- payments send --cart 45075ab2-c0c2-4a6d-89b4-3b442bbef853 --result failed \\
    --event-id refund-desk-17 --occurred-at 2026-11-20T14:00:00Z --stage prod

On a deployed stage, it sends a payment event to the stage's bus, and waits up to ${WAIT_SECONDS} s until the service has recorded
it. If the payment is not recorded by then, it exits with 1. On the local stage, it records the payment itself. A payment
that the service would reject is not sent.
To repeat a payment safely, give it an --event-id: the same event is recorded once.`;

/** `payments send`: reports the result of a payment by hand. */
export const sendPaymentCommand = (host: Host): Command =>
  withYes(stageCommand('send', 'report the result of a payment by hand', HELP))
    .requiredOption('--cart <id>', 'the cart that the buyer paid')
    .addOption(
      new Option('--result <result>', 'the result of the payment')
        .choices(['succeeded', 'failed'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--mode <mode>', "the mode that the cart must have; default: the cart's").choices([
        'test',
        'live',
      ]),
    )
    .option('--amount <number>', "the amount, such as 19.99; default: the cart's", parseAmount)
    .option('--occurred-at <time>', 'when it happened, such as 2026-11-20T14:00:00Z; default: now')
    .option('--event-id <id>', 'the id of the event, which makes a repetition harmless; default: a new one')
    .option('--payment-id <uuid>', "the payment; default: derived from the event's id")
    .action((flags: SendFlags) => sendPayment(host, flags));
