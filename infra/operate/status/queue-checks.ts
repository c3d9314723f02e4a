import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { QUEUE_THROUGHPUTS, backlogTimes } from '../../stage/backlog-times.ts';
import { counted } from '../../terminal/counted.ts';
import { LETTER_KINDS, type LetterKind } from '../dead-letters/commands.ts';
import { countMessages } from '../dead-letters/dead-letter-queue.ts';
import { KINDS } from '../dead-letters/letters.ts';
import type { Context } from '../frame/context.ts';
import { createSqs } from '../target/queues.ts';
import { outputOf } from '../target/stage.ts';
import { type Check, look, ok } from './checks.ts';

const deadLetters =
  (kind: LetterKind): Check =>
  async ({ stage }) => {
    const { visible, hidden } = await countMessages(createSqs(stage), outputOf(stage, KINDS[kind].output));
    if (visible + hidden === 0) return ok('None');
    const text = `${visible + hidden}: \`dead-letters list --queue ${kind}\``;
    return look(hidden === 0 ? text : `${text}. Another command has ${hidden} of them`);
  };

/** SQS may be some minutes late. */
const AGE_MS = 15 * 60_000;

/** The age of the oldest message in a queue of a deployed stage, in seconds, as CloudWatch knows it. */
const ageOf = async (
  queueUrl: string,
  { stage, now }: Pick<Context, 'stage' | 'now'>,
): Promise<number | undefined> => {
  if (stage.localEndpoint !== undefined) return undefined;
  const Metric = {
    Namespace: 'AWS/SQS',
    MetricName: 'ApproximateAgeOfOldestMessage',
    Dimensions: [{ Name: 'QueueName', Value: queueUrl.slice(queueUrl.lastIndexOf('/') + 1) }],
  };
  const { MetricDataResults: [age] = [] } = await new CloudWatchClient({}).send(
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
  (output: keyof typeof QUEUE_THROUGHPUTS): Check =>
  async (context) => {
    const QueueUrl = outputOf(context.stage, output);
    const AttributeNames = [
      'ApproximateNumberOfMessages',
      'ApproximateNumberOfMessagesNotVisible',
      'ApproximateNumberOfMessagesDelayed',
    ] as const;
    const [{ Attributes = {} }, age] = await Promise.all([
      createSqs(context.stage).send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      ),
      ageOf(QueueUrl, context),
    ]);
    const [visible = 0, inFlight = 0, delayed = 0] = AttributeNames.map((name) =>
      Number(Attributes[name] ?? 0),
    );
    const { one } = QUEUE_THROUGHPUTS[output];
    const { ofMany, ofOne } = backlogTimes(QUEUE_THROUGHPUTS[output], visible);
    const drains = `, which take ${ofMany}, or ${ofOne} if they are of one ${one.name}`;
    const oldest =
      age === undefined || visible === 0 ? '' : `. The oldest waits for ${counted(age, 'second')}`;
    return ok(
      `${counted(visible, 'message')}${visible === 0 ? '' : drains}. In flight or delayed: ${inFlight + delayed}${oldest}`,
    );
  };

const QUEUES = {
  PaymentsQueueUrl: 'payments',
  DeliveryQueueUrl: 'live deliveries',
  SlowDeliveryQueueUrl: 'live slow deliveries',
  TestDeliveryQueueUrl: 'test deliveries',
  SlowTestDeliveryQueueUrl: 'test slow deliveries',
} as const satisfies Readonly<Record<keyof typeof QUEUE_THROUGHPUTS, string>>;

/** The checks of the queues, which any stage has. */
export const QUEUE_CHECKS: Readonly<Record<string, Check>> = {
  ...Object.fromEntries(LETTER_KINDS.map((kind) => [`dead letters of ${kind}`, deadLetters(kind)])),
  ...Object.fromEntries(
    (Object.keys(QUEUES) as (keyof typeof QUEUE_THROUGHPUTS)[]).map((output) => [
      `waiting ${QUEUES[output]}`,
      waiting(output),
    ]),
  ),
};
