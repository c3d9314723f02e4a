import type { ManualReport } from '../../../lib/operators/manual-report-repository.ts';
import { previewPayment } from '../../../lib/operators/preview-payment.ts';
import { OperatorError } from '../../terminal/operator-error.ts';
import type { Context } from '../frame/context.ts';
import { describeAmount } from '../shared/describe-price.ts';
import { type Consequences, consequencesOf } from './consequences.ts';
import {
  findReport,
  idOf,
  reportIdOf,
  reportOf,
  type SendPaymentOptions,
  withReports,
} from './manual-report.ts';

const KINDS: Readonly<Record<SendPaymentOptions['result'], string>> = {
  succeeded: 'a successful payment',
  failed: 'a failed payment',
  refunded: 'a refund',
};

export const describe = (report: ManualReport): string =>
  `${KINDS['refundId' in report ? 'refunded' : report.result]} of ${describeAmount(report)}`;

/**
 * Plans a report from the present state of the stage. An equal report by hand gives the same event again. Other reports count as
 * recorded, because their events may still be on the way.
 *
 * @returns the report, its event and its consequences. Without consequences, it is recorded already
 * @throws OperatorError or UsageError as {@link reportOf} does, and if the service would reject the event
 */
export const planOf = async (options: SendPaymentOptions, { repositories, now }: Context) => {
  const { id, mode, createdAtMs } = options.cart;
  const { carts, claims } = repositories.payments[mode];
  const cart = await carts.find(id);
  // A later cart can have the same id, because the Idempotency-Key was repeated.
  if (cart?.createdAtMs !== createdAtMs) {
    throw new OperatorError(`The cart ${id} was deleted meanwhile. Nothing was changed.`);
  }
  const reports = await repositories.reports[mode].find(cart);
  const reportId = reportIdOf(options);
  const known = findReport(reportId, options, cart, reports);
  const { cart: cartWithReports, unrecorded } = withReports(
    cart,
    reports.filter((each) => each !== known),
  );
  const { event, entry } = reportOf(options, known, cartWithReports, now());
  const report = event.payment ?? event.refund;
  const preview = await previewPayment(event, {
    carts: { find: async () => cartWithReports },
    claims,
  });
  if (preview.outcome === 'rejected') {
    throw new OperatorError(
      `The service rejects this payment: ${preview.reason}. Nothing was recorded. docs/payments.md explains the reasons.`,
    );
  }
  const consequences = preview.outcome === 'recorded' ? consequencesOf(report, preview, now()) : undefined;
  return { cart, reports, isStored: known !== undefined, report, event, entry, unrecorded, consequences };
};

export type Plan = Awaited<ReturnType<typeof planOf>>;

export const sentencesOf = ({ unrecorded, consequences }: Plan): readonly string[] => [
  ...unrecorded.map(
    (each) => `Reported by hand before, and not recorded yet: ${describe(each)} (${idOf(each)}).`,
  ),
  ...(consequences?.sentences ?? []),
];

const OWN_PAYMENT_ID =
  'Without --payment-id, the payment gets its own id: if the payment side reports it later, that is a duplicate payment.';

/**
 * The warning about a new payment without an id from the payment side. The payment side's own event may only be late. With the
 * same id, it would change nothing.
 */
export const ownIdWarning = (
  { result, paymentId }: SendPaymentOptions,
  { isStored, consequences }: Plan,
): readonly string[] =>
  result === 'succeeded' && paymentId === undefined && !isStored && consequences?.isDuplicate === false
    ? [OWN_PAYMENT_ID]
    : [];

/** All that an operator confirms. The rest that is to be refunded changes with each other refund. */
export const confirmedText = (plan: Plan): string => [describe(plan.report), ...sentencesOf(plan)].join();

/** Whether the operator confirms the consequences by the amount. */
export const isAsked = ({ cart, yes }: SendPaymentOptions): boolean => cart.mode === 'live' && !yes;

/** Rejects consequences that the operator has not named. */
export const assertMeant = (options: SendPaymentOptions, { excess, isDuplicate }: Consequences): void => {
  if (excess !== undefined && !options.exceed) {
    throw new OperatorError(
      `The refunds would exceed the payment by ${excess}. Nothing was changed. If the money moved, add --exceed.`,
    );
  }
  if (isDuplicate && options.providerId === undefined && !isAsked(options)) {
    throw new OperatorError(
      `It would become a duplicate payment of a completed cart. Nothing was changed. If the buyer paid twice, add --provider-id with the payment provider's id of this payment.`,
    );
  }
};
