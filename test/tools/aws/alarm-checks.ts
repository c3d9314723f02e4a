import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { until } from '../../../infra/operate/until.ts';
import type { Check, CheckedStage } from './checks.ts';

/**
 * The metrics of a queue without activity for six hours may be 15 minutes late, and an alarm evaluates each minute.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
const ALARM_SECONDS_MAX = 25 * 60;

/** The alarms on dead letters, with the output that has the address of their queue. */
const ALARMS = {
  AlarmsDeadLetters: 'DeadLetterQueueUrl',
  AlarmsDeliveryDeadLetters: 'DeliveryDeadLetterQueueUrl',
  AlarmsSetAsideRecords: 'SetAsideQueueUrl',
} as const;

/** Puts a message into a queue that nobody has used, and waits for the alarm. Returns the minutes until then. */
const minutesUntilAlarm = async (
  { account, outputs }: CheckedStage,
  [alarm, output]: readonly [string, string],
): Promise<number> => {
  const { cloudWatch, sqs, resource } = account!;
  const QueueUrl = outputs[output];
  const startMs = Date.now();
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  try {
    const goesOff = async (): Promise<true | undefined> => {
      const command = new DescribeAlarmsCommand({ AlarmNames: [resource(alarm)] });
      const { MetricAlarms = [] } = await cloudWatch.send(command);
      return MetricAlarms.some(({ StateValue }) => StateValue === 'ALARM') || undefined;
    };
    const isOff = await until({ sleep }, ALARM_SECONDS_MAX, goesOff);
    assert(isOff, `${alarm} was not in ALARM within ${ALARM_SECONDS_MAX / 60} minutes`);
  } finally {
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  }
  return Math.round((Date.now() - startMs) / 60_000);
};

/** The checks of alarms on metrics that AWS publishes late. */
export const ALARM_CHECKS: readonly Check[] = [
  {
    name: 'one message in an idle queue of dead letters sets off its alarm',
    needs: 'aws',
    run: async (stage) => {
      const entries = Object.entries(ALARMS);
      const minutes = await Promise.all(entries.map((entry) => minutesUntilAlarm(stage, entry)));
      return `after ${minutes.join(', ')} minutes`;
    },
  },
];
