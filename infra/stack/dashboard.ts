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
import type { FunctionName } from '../../functions/function-needs.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import type { Alarms } from './alarms/alarms.ts';
import {
  allRequests,
  createdLiveCarts,
  functionMetric,
  latencyP99,
  liveMetric,
  serverErrorRate,
  stageMetric,
  throttledKeys,
  waitingMessages,
  type Watched,
} from './alarms/metrics.ts';
import type { ServiceFunction } from './functions/service-function.ts';

/** The functions that merchants call with an API key. */
const KEY_FUNCTIONS = new Set(
  Object.values(OPERATIONS).flatMap(({ caller, functionName }) =>
    caller === 'merchant' ? [functionName] : [],
  ),
);

/** Two widgets share a row of 24 columns. */
const WIDTH = 12;

const graph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []): GraphWidget =>
  new GraphWidget({ title, left: [...left], right: [...right], width: WIDTH });

const health = ({ name, api, functions }: Watched): GraphWidget[] => [
  graph('Requests, by operation and mode', [allRequests(name, 'ClientErrors', Stats.SAMPLE_COUNT)]),
  graph(
    'Shares of 4xx responses and of 5xx responses, and the number of 5xx responses',
    [allRequests(name, 'ClientErrors', Stats.AVERAGE), serverErrorRate(api)],
    [allRequests(name, 'ServerErrors', Stats.SUM)],
  ),
  graph('Latency, ms', [api.deploymentStage.metricLatency({ statistic: Stats.p(50) }), latencyP99(api)]),
  graph(
    'Functions: concurrent executions, and errors',
    [...functions.values()].map((each) => each.metric('ConcurrentExecutions', { statistic: Stats.MAXIMUM })),
    [...functions.values()].map((each) => each.metricErrors()),
  ),
];

const limits = ({ name, functions }: DashboardProps): (GraphWidget | LogQueryWidget)[] => [
  graph(
    '429 responses, and those of keys that DynamoDB throttles',
    [allRequests(name, 'RequestsLimited', Stats.SUM)],
    [throttledKeys(name)],
  ),
  new LogQueryWidget({
    title: 'Keys with the most 429 responses',
    logGroupNames: [...KEY_FUNCTIONS].flatMap((each) => functions.get(each)?.ownLogGroup.logGroupName ?? []),
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

const carts = ({ name, queues }: Watched): GraphWidget[] => [
  graph('Live carts', [
    createdLiveCarts(name),
    ...(['CartsCompleted', 'CartsAbandoned', 'PaymentsFailed', 'LatePayments', 'Refunds'] as const).map(
      (metric) => liveMetric(name, metric),
    ),
  ]),
  graph(
    'Payment events: waiting, dead letters, unusable, duplicate. Excess refunds',
    [waitingMessages(queues.payments), waitingMessages(queues.paymentDeadLetter)],
    (['UnusablePayments', 'AmountMismatches', 'DuplicatePayments', 'ExcessRefunds'] as const).map((metric) =>
      stageMetric(name, metric),
    ),
  ),
];

const events = (watched: Watched): GraphWidget[] => [
  graph(
    'Events: age of the oldest unhandled record, ms. Dead letters',
    [functionMetric(watched, 'fan-out-events', 'IteratorAge')],
    [waitingMessages(watched.queues.eventDeadLetter)],
  ),
  graph(
    'Live webhooks: deliveries, failed attempts, given up. Messages waiting and dead letters, of both modes',
    (['DeliveriesSucceeded', 'DeliveryAttemptsFailed', 'DeliveriesFailed', 'EndpointsDisabled'] as const).map(
      (metric) => liveMetric(watched.name, metric),
    ),
    (['delivery', 'slowDelivery', 'testDelivery', 'slowTestDelivery', 'deliveryDeadLetter'] as const).map(
      (queue) => waitingMessages(watched.queues[queue]),
    ),
  ),
];

export interface DashboardProps extends Watched {
  readonly functions: ReadonlyMap<FunctionName, ServiceFunction>;
  readonly alarms: Alarms;
}

/** The dashboard of a stage: its health, the keys over their limit, and the counts of carts, events and webhooks. */
export const addDashboard = (scope: Construct, props: DashboardProps): Dashboard =>
  new Dashboard(scope, 'Dashboard', {
    defaultInterval: Duration.hours(3),
    widgets: [
      [new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms.all], width: 2 * WIDTH })],
      health(props),
      limits(props),
      carts(props),
      events(props),
    ],
  });
