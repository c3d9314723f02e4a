import { hash } from 'node:crypto';
import { applyPayment } from '../../../lib/carts/cart-payments.ts';
import { applyRefund } from '../../../lib/carts/cart-refunds.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { isoIfAny, isoTime } from '../../../lib/core/timestamps.ts';
import type { ManualReport } from '../../../lib/operators/manual-report-repository.ts';
import {
  parsePaymentEvent,
  paymentDetailSchema,
  refundDetailSchema,
} from '../../../lib/payments/payment-event.ts';
import { fromMinorUnits } from '../../../lib/products/price.ts';
import { UsageError } from '../../terminal/command-line.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { OptionsOf } from '../frame/command.ts';
import type { PAYMENTS } from './commands.ts';
import { unitsLeftAtLast } from './consequences.ts';

export type SendPaymentOptions = OptionsOf<typeof PAYMENTS.send>;

/** A UUIDv4 from a text alone (RFC 9562, 5.4). */
const uuidOf = (text: string): string =>
  hash('sha256', text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5');

/** The id of the event of a payment, or of a refund. */
export const idOf = (report: ManualReport): string =>
  'refundId' in report ? report.refundId : report.eventId;

/**
 * The id that the operator names, or the one that every report of this result and amount about the cart has. An amount that the
 * operator leaves out of a refund is the rest, whatever is left at the time.
 */
export const reportIdOf = ({ cart, result, amount, providerId }: SendPaymentOptions): string => {
  const named = amount ?? (result === 'refunded' ? 'rest' : cart.price.amount);
  return providerId ?? `operate-${uuidOf(`${cart.id} ${result} ${named}`)}`;
};

/** The report with an id among those by hand, or else as the cart has it. */
export const findReport = (
  id: string,
  { result }: SendPaymentOptions,
  cart: Cart,
  reports: readonly ManualReport[],
): ManualReport | undefined => {
  const { payments = [], refunds = [], earlyRefunds = [] } = cart;
  const known: readonly ManualReport[] = [...reports, ...payments, ...refunds, ...earlyRefunds];
  return known.find((each) => 'refundId' in each === (result === 'refunded') && idOf(each) === id);
};

/** The cart with the reports that the service has yet to record, and these reports. */
export const withReports = (cart: Cart, reports: readonly ManualReport[]) => {
  let counted = cart;
  const unrecorded = reports.filter((report) => {
    const applied = 'refundId' in report ? applyRefund(counted, report) : applyPayment(counted, report);
    if (applied.outcome === 'recorded') counted = applied.cart;
    return applied.outcome === 'recorded';
  });
  return { cart: counted, unrecorded };
};

/** The payment of a refund, unless the operator names it: the one that completed the cart. */
const refundedPaymentId = ({ paymentId }: SendPaymentOptions, { status, paymentId: completing }: Cart) =>
  paymentId ?? (status === 'completed' ? completing : undefined);

const restOf = (cart: Cart, paymentId: string): number => {
  const left = unitsLeftAtLast(cart, paymentId);
  if (left > 0n) return fromMinorUnits(left, cart.price.currency);
  throw new OperatorError(
    `Nothing is left to refund of the payment ${paymentId}, counting refunds that are reported by hand and not recorded yet. If more money moved, add --amount and --exceed.`,
  );
};

const newReport = (options: SendPaymentOptions, counted: Cart, nowMs: number): ManualReport => {
  const { result, amount, occurredAt: occurredAtMs = nowMs, failureReason } = options;
  const { currency } = counted.price;
  const id = reportIdOf(options);
  if (result === 'refunded') {
    const paymentId = refundedPaymentId(options, counted);
    if (paymentId === undefined) {
      throw new UsageError('--payment-id is missing: the cart has no successful payment yet.');
    }
    return { refundId: id, paymentId, amount: amount ?? restOf(counted, paymentId), currency, occurredAtMs };
  }
  const paymentId = options.paymentId ?? uuidOf(`payment of ${id}`);
  const paid = { eventId: id, paymentId, result, amount: amount ?? counted.price.amount, currency };
  return { ...paid, occurredAtMs, ...(failureReason !== undefined && { failureReason }) };
};

/** The event of a report: as EventBridge accepts it, and as the service parses it. */
const eventOf = (report: ManualReport, { id: cartId, mode }: Cart, nowMs: number) => {
  const { occurredAtMs, ...fields } = report;
  const { result, ...named } = { result: 'refunded' as const, ...fields };
  const detail = { ...named, cartId, mode, occurredAt: isoTime(occurredAtMs) };
  const DetailType = `payment.${result}`;
  const parsed = parsePaymentEvent(JSON.stringify({ 'detail-type': DetailType, detail }), nowMs);
  return { parsed, detail, entry: { DetailType, Detail: JSON.stringify(detail) } };
};

/** The rule of the option behind each field that an operator can get wrong. */
const RULES: Readonly<Record<string, string>> = {
  paymentId: '--payment-id must be a UUID in lower case.',
  amount: '--amount must be 0, or at least 0.0001.',
};

const REFUND_AMOUNT_RULE =
  '--amount must be above 0 in a refund, with no more decimals than the currency has, and at most 15 digits.';

/** The rule of the first option that is wrong. */
const wrongOption = (report: ManualReport, detail: object): string | undefined => {
  const schema = 'refundId' in report ? refundDetailSchema : paymentDetailSchema;
  const [issue] = schema.safeParse(detail).error?.issues ?? [];
  if (!issue) return '--occurred-at must be at most 5 minutes in the future.';
  return RULES[String(issue.path[0])] ?? REFUND_AMOUNT_RULE;
};

/** The options that differ from a known report, each with both values. */
const differencesOf = (options: SendPaymentOptions, known: ManualReport, cart: Cart): string[] => {
  const { result, amount, occurredAt, failureReason } = options;
  const was = { result: 'refunded', failureReason: undefined, ...known };
  const paymentId = result === 'refunded' ? refundedPaymentId(options, cart) : options.paymentId;
  const pairs: readonly (readonly [string, string | number | undefined, string | number | undefined])[] = [
    ['result', result, was.result],
    ['amount', amount, was.amount],
    ['payment-id', paymentId, was.paymentId],
    ['occurred-at', isoIfAny(occurredAt), isoTime(was.occurredAtMs)],
    ['failure-reason', failureReason, was.failureReason],
  ];
  return pairs
    .filter(([, given, reported]) => given !== undefined && given !== reported)
    .map(([name, given, reported]) => `--${name} ${given}, reported as ${reported ?? 'none'}`);
};

/**
 * The report of a command, with its event: the known one with its id, or else a new one.
 *
 * @param counted the cart with the other reports
 * @throws UsageError if the service would not accept a value
 * @throws OperatorError if an option differs from the known report, or if nothing is left to refund
 */
export const reportOf = (
  options: SendPaymentOptions,
  known: ManualReport | undefined,
  counted: Cart,
  nowMs: number,
) => {
  const report = known ?? newReport(options, counted, nowMs);
  const differences = known ? differencesOf(options, known, counted) : [];
  if (differences.length > 0) {
    throw new OperatorError(
      `${idOf(report)} was reported before with other values: ${differences.join('; ')}. Nothing was changed. To repeat that report, leave these options out. To report another payment, add --provider-id with an id that no report has.`,
    );
  }
  const { parsed, detail, entry } = eventOf(report, counted, nowMs);
  if (parsed.ok) return { event: parsed.event, entry };
  throw new UsageError(wrongOption(report, detail));
};
