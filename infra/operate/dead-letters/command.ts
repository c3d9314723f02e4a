import { Command } from 'commander';
import { applyPayment } from '../../../lib/carts/cart-lifecycle.ts';
import { type CartStore, createCartStore } from '../../../lib/carts/cart-store.ts';
import { parsePaymentEvent } from '../../../lib/carts/payment-event.ts';
import type { Payment } from '../../../lib/carts/payment.ts';
import { OperatorError } from '../../operator-error.ts';
import { type CommonFlags, withCommonOptions } from '../options.ts';
import { isoTime, print, table } from '../output.ts';
import { type DeadLetter, type DeadLetterQueue, findDeadLetters } from './dead-letter-queue.ts';

/** Of one run: SQS shows a queue in no order, so more are for the next run. */
const LETTERS_MAX = 1_000;

/** A dead letter as `--json` tells it; without a payment if its event cannot be read. */
interface ExaminedLetter {
  readonly messageId: string;
  readonly sentAt: string;
  /** What recording it now would come to: `recorded` if it would succeed, `duplicate` if it has, else why it would not. */
  readonly verdict: string;
  readonly payment?: Pick<Payment, 'paymentId' | 'result' | 'amount' | 'currency'> & {
    readonly cartId: string;
  };
}

const examine = async (
  { messageId, sentAtMs, body }: DeadLetter,
  carts: Pick<CartStore, 'find'>,
): Promise<ExaminedLetter> => {
  const about = { messageId, sentAt: isoTime(sentAtMs) };
  const event = parsePaymentEvent(body);
  if (!event) return { ...about, verdict: 'malformedEvent' };
  const { cartId, payment } = event;
  const cart = await carts.find(cartId);
  const applied = cart && applyPayment(cart, payment);
  const verdict = applied?.outcome === 'rejected' ? applied.reason : (applied?.outcome ?? 'unknownCart');
  const { paymentId, result, amount, currency } = payment;
  return { ...about, verdict, payment: { cartId, paymentId, result, amount, currency } };
};

const cartsOf = ({ stage }: DeadLetterQueue): CartStore =>
  createCartStore(stage.documents, stage.tableNames.carts);

const HEADING = ['MESSAGE ID', 'SENT (UTC)', 'CART', 'PAYMENT', 'AMOUNT', 'IF RECORDED NOW'];

const toRow = ({ messageId, sentAt, verdict, payment }: ExaminedLetter): string[] => [
  messageId,
  sentAt.slice(0, 16).replace('T', ' '),
  payment?.cartId ?? '',
  payment ? `${payment.paymentId} ${payment.result}` : '',
  payment ? `${payment.amount} ${payment.currency}` : '',
  verdict,
];

const listDeadLetters = async ({ json, ...flags }: CommonFlags): Promise<void> => {
  const queue = await findDeadLetters(flags);
  const carts = cartsOf(queue);
  const deadLetters: ExaminedLetter[] = [];
  await queue.decide(LETTERS_MAX, async (letter) => {
    deadLetters.push(await examine(letter, carts));
    return 'keep';
  });
  const rows = deadLetters.map(toRow);
  print(json, { deadLetters }, rows.length > 0 ? table(HEADING, rows) : ['There are no dead letters.']);
};

const redriveDeadLetters = async ({ json, ...flags }: CommonFlags): Promise<void> => {
  const queue = await findDeadLetters(flags);
  const carts = cartsOf(queue);
  let redriven = 0;
  let left = 0;
  await queue.decide(LETTERS_MAX, async (letter) => {
    const { verdict } = await examine(letter, carts);
    const isRecordable = verdict === 'recorded' || verdict === 'duplicate';
    if (isRecordable) redriven += 1;
    else left += 1;
    return isRecordable ? 'redrive' : 'keep';
  });
  print(json, { redriven, left }, [
    `Sent back to be recorded: ${redriven}. Left, because they would be refused again: ${left}.`,
  ]);
};

const removeDeadLetter = async (messageId: string, { json, ...flags }: CommonFlags): Promise<void> => {
  const queue = await findDeadLetters(flags);
  let isRemoved = false;
  await queue.decide(LETTERS_MAX, async (letter) => {
    if (letter.messageId !== messageId) return 'keep';
    isRemoved = true;
    return 'remove';
  });
  if (!isRemoved) throw new OperatorError('No dead letter has that message id.');
  print(json, { messageId, removed: true }, [`Removed the dead letter ${messageId}.`]);
};

const LIST_HELP = `
Example:
  npm run operate -- dead-letters list --stage prod

IF RECORDED NOW says what a redrive would come to: recorded, duplicate (already on its cart), or why it would be refused
again: amountMismatch, unknownCart, malformedEvent, conflictingEvent, tooManyPayments.`;

const REDRIVE_HELP = `
Example:
  npm run operate -- dead-letters redrive --stage prod

Those that would be refused again stay. An event that was recorded before changes nothing.`;

const REMOVE_HELP = `
Example:
  npm run operate -- dead-letters remove 5f0c3a52-8c1d-4f7e-9f0b-3f6d0f5f5d11 --stage prod

Look at it with \`list\` first: what it tells is lost.`;

/** `dead-letters`: payment events that could not be recorded, kept for 14 days. */
export const deadLettersCommand = (): Command => {
  const list = withCommonOptions(new Command('list'))
    .description('list payment events that could not be recorded, and why; leaves them where they are')
    .addHelpText('after', LIST_HELP)
    .action(listDeadLetters);
  const redrive = withCommonOptions(new Command('redrive'))
    .description('send those back that can be recorded now')
    .addHelpText('after', REDRIVE_HELP)
    .action(redriveDeadLetters);
  const remove = withCommonOptions(new Command('remove'))
    .argument('<messageId>', 'as listed')
    .description('remove one that was dealt with by hand')
    .addHelpText('after', REMOVE_HELP)
    .action(removeDeadLetter);
  return [list, redrive, remove].reduce(
    (deadLetters, command) => deadLetters.addCommand(command),
    new Command('dead-letters').description('payment events of a deployed stage that could not be recorded'),
  );
};
