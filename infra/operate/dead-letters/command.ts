import { Command } from 'commander';
import { type ParsedPaymentEvent, parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import { inStoresOf } from '../../../lib/carts/payment-stores.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { previewPayment } from '../../../lib/carts/record-payment.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, type Host, stageCommand } from '../options.ts';
import { type Columns, isoTime, minuteOf, print, table } from '../output.ts';
import { type DeadLetter, type DeadLetterQueue, findDeadLetters } from './dead-letter-queue.ts';

/** A dead letter in the JSON. */
interface ExaminedLetter {
  readonly messageId: string;
  readonly sentAt: string;
  /** The outcome of a redrive: `recorded`, `duplicate` (recorded before), or the reason of a rejection. */
  readonly verdict: string;
  /** Missing if the event cannot be read. */
  readonly payment?: Pick<Payment, 'paymentId' | 'result' | 'amount' | 'currency'> & {
    readonly cartId: string;
  };
}

const verdictOf = async (
  parsed: ParsedPaymentEvent,
  stores: DeadLetterQueue['stores'],
): Promise<ExaminedLetter['verdict']> => {
  if (!parsed.ok) return parsed.reason;
  const previewed = await inStoresOf(parsed.event, stores, previewPayment);
  return previewed.outcome === 'rejected' ? previewed.reason : previewed.outcome;
};

const examine = async (
  { messageId, sentAtMs, body }: DeadLetter,
  stores: DeadLetterQueue['stores'],
  nowMs: number,
): Promise<ExaminedLetter> => {
  const parsed = parsePaymentEvent(body, nowMs);
  const message = { messageId, sentAt: isoTime(sentAtMs), verdict: await verdictOf(parsed, stores) };
  const { cartId, payment } = parsed.ok ? parsed.event : parsed;
  if (cartId === undefined || !payment) return message;
  const { paymentId, result, amount, currency } = payment;
  return { ...message, payment: { cartId, paymentId, result, amount, currency } };
};

const COLUMNS: Columns<ExaminedLetter> = {
  'MESSAGE ID': ({ messageId }) => messageId,
  'SENT (UTC)': ({ sentAt }) => minuteOf(Date.parse(sentAt)),
  CART: ({ payment }) => payment?.cartId ?? '',
  PAYMENT: ({ payment }) => (payment ? `${payment.paymentId} ${payment.result}` : ''),
  AMOUNT: ({ payment }) => (payment ? `${payment.amount} ${payment.currency}` : ''),
  'IF RECORDED NOW': ({ verdict }) => verdict,
};

const listDeadLetters = async (host: Host, { json, ...flags }: CommonFlags): Promise<void> => {
  const queue = await findDeadLetters(flags);
  const deadLetters: ExaminedLetter[] = [];
  await queue.decide(async (letter) => {
    deadLetters.push(await examine(letter, queue.stores, host.now()));
    return 'keep';
  });
  await print(host, json, { deadLetters }, table(host, COLUMNS, deadLetters, 'There are no dead letters.'));
};

const redriveDeadLetters = async (host: Host, { json, ...flags }: CommonFlags): Promise<void> => {
  const queue = await findDeadLetters(flags);
  let redriven = 0;
  let left = 0;
  await queue.decide(async (letter) => {
    const { verdict } = await examine(letter, queue.stores, host.now());
    if (verdict === 'recorded' || verdict === 'duplicate') {
      redriven += 1;
      return 'redrive';
    }
    left += 1;
    return 'keep';
  });
  await print(host, json, { redriven, left }, [
    `Redriven: ${redriven}. Left, because they would be rejected again: ${left}.`,
  ]);
};

const removeDeadLetter = async (
  host: Host,
  messageId: string,
  { json, ...flags }: CommonFlags,
): Promise<void> => {
  const queue = await findDeadLetters(flags);
  let isRemoved = false;
  await queue.decide(async (letter) => {
    if (letter.messageId !== messageId) return 'keep';
    isRemoved = true;
    return 'remove';
  });
  if (!isRemoved) throw new OperatorError(`No dead letter has the message id ${messageId}.`);
  await print(host, json, { messageId, removed: true }, [`Removed the dead letter ${messageId}.`]);
};

const LIST_HELP = `
Example:
  npm run operate -- dead-letters list --stage prod

IF RECORDED NOW is the outcome of a redrive: recorded, duplicate (recorded before), or the reason of a rejection.
docs/events.md explains the reasons.`;

const REDRIVE_HELP = `
Example:
  npm run operate -- dead-letters redrive --stage prod

It leaves events that would be rejected again. An event that was recorded before changes nothing.`;

const REMOVE_HELP = `
Example:
  npm run operate -- dead-letters remove 5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11 --stage prod

The event is lost: check it with \`list\` first.`;

/** `dead-letters`: works on payment events that could not be recorded. Their queue keeps them for 14 days. */
export const deadLettersCommand = (host: Host): Command => {
  const list = stageCommand(
    'list',
    'list payment events that could not be recorded, and why',
    LIST_HELP,
  ).action((flags: CommonFlags) => listDeadLetters(host, flags));
  const redrive = stageCommand('redrive', 'retry the events that would now succeed', REDRIVE_HELP).action(
    (flags: CommonFlags) => redriveDeadLetters(host, flags),
  );
  const remove = stageCommand('remove', 'remove an event that needs no recording', REMOVE_HELP)
    .argument('<messageId>', 'the message id, as listed')
    .action((messageId: string, flags: CommonFlags) => removeDeadLetter(host, messageId, flags));
  return new Command('dead-letters')
    .description('list, redrive and remove payment events that a deployed stage could not record')
    .addCommand(list)
    .addCommand(redrive)
    .addCommand(remove);
};
