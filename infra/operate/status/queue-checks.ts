import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { backlogTimes } from '../../stage/backlog-times.ts';
import {
  DEAD_LETTER_QUEUES,
  type DeadLetterQueueName,
  QUEUES,
  READ_QUEUES,
  type ReadQueueName,
} from '../../stage/queues.ts';
import { counted } from '../../terminal/counted.ts';
import type { Context } from '../frame/context.ts';
import { countMessages } from '../shared/count-messages.ts';
import { SERVICE_CONNECTIONS } from '../target/connections.ts';
import { createSqs, queueUrlOf } from '../target/queues.ts';
import { type Check, look, ok } from './checks.ts';

const deadLetters =
  (queue: DeadLetterQueueName): Check =>
  async ({ stage }) => {
    const { visible, hidden } = await countMessages(createSqs(stage), queueUrlOf(stage, queue));
    if (visible + hidden === 0) return ok('None');
    const text = `${visible + hidden}: \`dead-letters list --queue ${QUEUES[queue].label}\``;
    return look(hidden === 0 ? text : `${text}. Another command has ${hidden} of them`);
  };

/** SQS may be some minutes late. */
const AGE_MS = 15 * 60_000;

/** The age of the oldest message in a queue of a deployed stage, in seconds, as CloudWatch knows it. */
const ageOf = async (
  queueUrl: string,
  { stage, now }: Pick<Context, 'stage' | 'now'>,
): Promise<number | undefined> => {
  if (stage.isLocal) return undefined;
  const Metric = {
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateAgeOfOldestMessage',
    Dimensions: [{ Name: 'QueueName', Value: queueUrl.slice(queueUrl.lastIndexOf('/') + 1) }],
  };
  const { MetricDataResults: [age] = [] } = await new CloudWatchClient({
    requestHandler: SERVICE_CONNECTIONS,
  }).send(
    new GetMetricDataCommand({
      StartTime: new Date(now() - AGE_MS),
      EndTime: new Date(now()),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: [{ Id: 'age', MetricStat: { Metric, Period: 60, Stat: 'Maximum' } }],
    }),
  );
  return age?.Values?.[0];
};

const waiting =
  (queue: ReadQueueName): Check =>
  async (context) => {
    const QueueUrl = queueUrlOf(context.stage, queue);
    const [{ visible, hidden, delayed }, age] = await Promise.all([
      countMessages(createSqs(context.stage), QueueUrl),
      ageOf(QueueUrl, context),
    ]);
    const { reader } = QUEUES[queue];
    const { ofMany, ofOne } = backlogTimes(reader, visible);
    const backlog = `, which take ${ofMany}, or ${ofOne} if they are of one ${reader.one.name}`;
    const oldest =
      age === undefined || visible === 0 ? '' : `. The oldest waits for ${counted(age, 'second')}`;
    return ok(
      `${counted(visible, 'message')}${visible === 0 ? '' : backlog}. In flight or delayed: ${hidden + delayed}${oldest}`,
    );
  };

/** The checks of the queues, which any stage has. */
export const QUEUE_CHECKS: Readonly<Record<string, Check>> = Object.fromEntries([
  ...DEAD_LETTER_QUEUES.map((name) => [`dead letters of ${QUEUES[name].label}`, deadLetters(name)] as const),
  ...READ_QUEUES.map((name) => [`waiting ${QUEUES[name].label}`, waiting(name)] as const),
]);
