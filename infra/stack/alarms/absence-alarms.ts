import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { AlarmDefinition, Definitions } from './alarm.ts';
import { createdLiveCarts, liveMetric, liveRequests, PERIOD } from './metrics.ts';

/**
 * Chance alone does not explain a time in which 20 are expected and none comes. If they come independently of each other, one
 * such time in 500 million is silent (Poisson: e^-20).
 */
const EXPECTED_IN_SILENCE = 20;

/** Assumed: a merchant creates a cart, then retrieves it three times. Buyers pay three carts of ten. */
const OF_REQUESTS = { carts: 1 / 4, payments: (1 / 4) * (3 / 10) } as const;

/** 15 minutes. A shorter pause of one merchant notifies nobody. */
const PERIODS_MIN = 3;

const PERIOD_MINUTES = PERIOD.toMinutes();

const silence = (metric: IMetric, perHour: number, what: string, effect: string): AlarmDefinition => {
  const minutes = (60 * EXPECTED_IN_SILENCE) / perHour;
  const periods = Math.max(PERIODS_MIN, Math.ceil(minutes / PERIOD_MINUTES));
  return { metric, below: 1, periods, effect: `${what} for ${periods * PERIOD_MINUTES} minutes: ${effect}` };
};

/**
 * The alarms on absent live traffic. The canary proves that a request can succeed. These alarms also go off if merchants do
 * not reach the service, or payments do not.
 *
 * @param perHour the live requests of the quietest hour. With fewer than 12, an alarm would need more than a day, which
 *   CloudWatch does not allow
 */
export const absenceAlarms = (stage: string, perHour: number): Definitions => ({
  NoRequests: silence(
    liveRequests(stage),
    perHour,
    'No live request arrived',
    'merchants may not reach the service.',
  ),
  NoCarts: silence(
    createdLiveCarts(stage),
    perHour * OF_REQUESTS.carts,
    'No live cart was created',
    'buyers may not get to the payment page.',
  ),
  NoPayments: silence(
    liveMetric(stage, 'CartsCompleted'),
    perHour * OF_REQUESTS.payments,
    'No live cart was completed',
    'merchants may see paid carts as unpaid.',
  ),
});
