import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';
import {
  deadLetters,
  latencyP99,
  serverErrorRate,
  serviceMetric,
  throttledKeys,
  type Watched,
} from './metrics.ts';

/** Two widgets share a row of 24 columns. */
const WIDTH = 12;

const graph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left: [...left], right: [...right], width: WIDTH });

const health = ({ api, functions }: Watched): GraphWidget[] => [
  graph(
    'Requests, and the share of 5xx responses',
    [api.deploymentStage.metricCount({ statistic: Stats.SUM })],
    [serverErrorRate(api)],
  ),
  graph('Latency, ms', [api.deploymentStage.metricLatency({ statistic: Stats.p(50) }), latencyP99(api)]),
  graph(
    'Functions: concurrent executions, and errors',
    functions.map((each) => each.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM })),
    functions.map((each) => each.metricErrors()),
  ),
];

const limits = ({ name, database, apiFunctions }: Watched): (GraphWidget | LogQueryWidget)[] => [
  graph(
    '429 responses, and writes to key items throttled by DynamoDB',
    [serviceMetric(name, 'RequestsLimited')],
    [throttledKeys(database)],
  ),
  new LogQueryWidget({
    title: 'Keys with the most 429 responses',
    logGroupNames: apiFunctions.map(({ ownLogGroup }) => ownLogGroup.logGroupName),
    view: LogQueryVisualizationType.TABLE,
    queryLines: [
      'filter code = "RATE_LIMITED"',
      'stats count(*) as requests by keyId, storeId',
      'sort requests desc',
      'limit 20',
    ],
    width: WIDTH,
  }),
];

const carts = ({ name, payments }: Watched): GraphWidget[] => [
  graph(
    'Carts',
    (['CartsCreated', 'CartsCompleted', 'PaymentsFailed', 'LatePayments'] as const).map((metric) =>
      serviceMetric(name, metric),
    ),
  ),
  graph(
    'Payment events: waiting, dead letters, unusable, duplicate',
    [payments.queue.metricApproximateNumberOfMessagesVisible(), deadLetters(payments)],
    (['UnusablePayments', 'AmountMismatches', 'DuplicatePayments'] as const).map((metric) =>
      serviceMetric(name, metric),
    ),
  ),
];

export interface DashboardProps extends Watched {
  readonly alarms: Alarms;
}

/** The dashboard of a stage: its health, the keys over their limit, and the share of carts that are paid. */
export const addDashboard = (scope: Construct, props: DashboardProps): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    defaultInterval: Duration.hours(3),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms.all], width: 2 * WIDTH })],
      health(props),
      limits(props),
      carts(props),
    ],
  });
