import { describe, expect, it } from 'vitest';
import { reportPayment } from '../../../lib/carts/report-payment.ts';
import { logged } from '../../support/log-lines.ts';

describe('a rejected payment', () => {
  it.each([
    ['amountMismatch', 'AmountMismatches'],
    ['conflictingEvent', 'UnusablePayments'],
    ['futurePayment', 'UnusablePayments'],
    ['malformedEvent', 'UnusablePayments'],
    ['paymentOfAnotherCart', 'UnusablePayments'],
    ['tooManyPayments', 'UnusablePayments'],
    ['unknownCart', 'UnusablePayments'],
  ] as const)('is counted by its reason: %s as %s', async (reason, metric) => {
    const report = async () => reportPayment({ outcome: 'rejected', reason }, { isFirst: true });
    expect(await logged(report)).toMatchObject([{ [metric]: 1 }, { level: 'WARN', reason }]);
  });
});
