import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { statusAt } from '../../../lib/carts/cart-status.ts';
import { NO_PAUSES, retry } from '../../../lib/core/retry.ts';
import { applyPaymentEvent } from '../../../lib/payments/record-payment-event.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Action } from '../frame/command.ts';
import type { Context } from '../frame/context.ts';
import { describeAmount } from '../shared/describe-price.ts';
import { until } from '../shared/until.ts';
import { clientConfigOf } from '../target/queues.ts';
import { outputOf, type Stage } from '../target/stage.ts';
import { type PAYMENTS, WAIT_SECONDS } from './commands.ts';
import type { SendPaymentOptions } from './manual-report.ts';
import {
  assertMeant,
  confirmedText,
  describe,
  isAsked,
  ownIdWarning,
  type Plan,
  planOf,
  sentencesOf,
} from './plan.ts';

const putEvent = async (stage: Stage, entry: Plan['entry']): Promise<void> => {
  const eventBridge = new EventBridgeClient(clientConfigOf(stage));
  const bus = { EventBusName: outputOf(stage, 'EventBusName'), Source: outputOf(stage, 'PaymentSource') };
  const command = new PutEventsCommand({ Entries: [{ ...bus, ...entry }] });
  const { FailedEntryCount, Entries } = await eventBridge.send(command);
  if (FailedEntryCount === 0) return;
  const { ErrorCode = 'no reason', ErrorMessage = '' } = Entries?.[0] ?? {};
  throw new OperatorError(`EventBridge rejected the event: ${ErrorCode}. ${ErrorMessage}`.trimEnd());
};

/** An attempt fails only if somebody else stores a report about the cart between its read and its write. */
const ATTEMPTS_MAX = 5;

/** Stores the report, so that each repetition sends the same event. Plans again, because time has passed since the question. */
const storeReport = async (options: SendPaymentOptions, stated: Plan, context: Context): Promise<Plan> => {
  const attempt = async (): Promise<Plan | undefined> => {
    const plan = await planOf(options, context);
    const { cart, reports, report, consequences } = plan;
    if (!consequences) return plan;
    assertMeant(options, consequences);
    if (isAsked(options) && confirmedText(plan) !== confirmedText(stated)) {
      throw new OperatorError(
        'The cart has changed since the question. Nothing was changed: repeat the command.',
      );
    }
    const isStored =
      plan.isStored || (await context.repositories.reports[cart.mode].add(cart, reports, report));
    return isStored ? plan : undefined;
  };
  const stored = await retry(attempt, { ...NO_PAUSES, attemptsMax: ATTEMPTS_MAX });
  if (stored) return stored;
  throw new OperatorError(
    'Others report payments of this cart at the same time. Nothing was changed: repeat the command.',
  );
};

/** `alreadyRecorded`: nothing changed. `sent`: on the bus, but not recorded within {@link WAIT_SECONDS}, which is a failure. */
type Outcome = 'recorded' | 'alreadyRecorded' | 'sent';

interface Delivered {
  readonly outcome: Outcome;
  readonly plan: Plan;
}

/** Stores and sends a report, and waits until the stage has recorded it. */
const deliver = async (options: SendPaymentOptions, stated: Plan, context: Context): Promise<Delivered> => {
  const plan = await storeReport(options, stated, context);
  const { event, entry, consequences } = plan;
  if (!consequences) return { outcome: 'alreadyRecorded', plan };
  await putEvent(context.stage, entry);
  const { carts } = context.repositories.payments[event.mode];
  const isRecorded = async () =>
    applyPaymentEvent(await carts.find(event.cartId), event).outcome === 'alreadyRecorded' || undefined;
  const found = await until(context.pauses, WAIT_SECONDS, isRecorded);
  return { outcome: found ? 'recorded' : 'sent', plan };
};

const headlineOf = (outcome: Outcome, subject: string): string =>
  ({
    recorded: `The ${subject} is recorded.`,
    alreadyRecorded: `The ${subject} was recorded before. Nothing changed. A further one needs --provider-id.`,
    sent: 'The event is on the bus.',
  })[outcome];

const resultOf = async ({ outcome, plan: { cart, event } }: Delivered, { repositories, now }: Context) => {
  const { id: cartId, mode } = cart;
  const { paymentId, amount, currency } = event.payment ?? event.refund;
  const { eventId, refundId } = { ...event.payment, ...event.refund };
  const { status } = statusAt((await repositories.findCart(cartId)) ?? cart, now());
  const subject = refundId === undefined ? 'payment' : 'refund';
  const failure = `The ${subject} is not recorded within ${WAIT_SECONDS} s. You can repeat the same command: it sends the same event, which is recorded once. If that fails too, check \`carts show\` and \`dead-letters list\`.`;
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

export const send: Action<typeof PAYMENTS.send> = async (options, context) => {
  const plan = await planOf(options, context);
  const { cart, report, consequences } = plan;
  if (!consequences) return resultOf({ outcome: 'alreadyRecorded', plan }, context);
  const { paymentId, amount, currency } = report;
  for (const sentence of [...sentencesOf(plan), ...ownIdWarning(options, plan)]) context.say(sentence);
  assertMeant(options, consequences);
  const [amountText] = describeAmount(report).split(' ');
  const what = `${describe(report)} for the live cart ${cart.id}`;
  await context.confirm(`Reporting ${what} on the stage ${context.stage.name}`, cart.mode, amountText);
  const delivered = await context.change(
    { cartId: cart.id, mode: cart.mode, result: options.result, paymentId, amount, currency },
    () => deliver(options, plan, context),
    ({ outcome, plan: { report: sent } }) => ({ outcome, paymentId: sent.paymentId, amount: sent.amount }),
  );
  return resultOf(delivered, context);
};
