import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteAlarmsCommand,
  DescribeAlarmsCommand,
  PutMetricAlarmCommand,
  type PutMetricAlarmCommandInput,
} from '@aws-sdk/client-cloudwatch';
import { PurgeQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { until } from '../../../infra/operate/shared/until.ts';
import { productionStage } from '../../support/stack/template.ts';
import type { Check, AccountStage } from './checked-stage.ts';

/**
 * The metrics of a queue without activity for six hours may be 15 minutes late, and an alarm evaluates each minute.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
const ALARM_SECONDS_MAX = 25 * 60;

/** The alarms on dead letters, with the output that has the address of their queue. */
const ALARMS = {
  AlarmsPaymentDeadLetters: 'PaymentDeadLetterQueueUrl',
  AlarmsDeliveryDeadLetters: 'DeliveryDeadLetterQueueUrl',
  AlarmsEventDeadLetters: 'EventDeadLetterQueueUrl',
} as const;

/** Puts a message into a queue that nobody has used, and waits for its alarms. Returns the minutes until then. */
const minutesUntilAlarms = async (
  { account, outputs }: AccountStage,
  AlarmNames: string[],
  output: string,
): Promise<number> => {
  const { cloudWatch, sqs } = account;
  const QueueUrl = outputs[output];
  const startMs = Date.now();
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
  try {
    const goOff = async (): Promise<true | undefined> => {
      const { MetricAlarms = [] } = await cloudWatch.send(new DescribeAlarmsCommand({ AlarmNames }));
      const on = MetricAlarms.filter(({ StateValue }) => StateValue === 'ALARM');
      return on.length === AlarmNames.length || undefined;
    };
    const areOff = await until({ sleep }, ALARM_SECONDS_MAX, goOff);
    assert(areOff, `${AlarmNames.join(', ')}: not in ALARM within ${ALARM_SECONDS_MAX / 60} minutes`);
  } finally {
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  }
  return Math.round((Date.now() - startMs) / 60_000);
};

/** The alarm of production on dead letters, an expression that a smaller stage does not have, on another queue. */
const productionAlarm = (AlarmName: string, queueName: string): PutMetricAlarmCommandInput => {
  const { template } = productionStage();
  const [alarm] = Object.entries(template.findResources('AWS::CloudWatch::Alarm')).flatMap(
    ([id, { Properties }]) => (id.startsWith('AlarmsPaymentDeadLetters') ? [Properties as object] : []),
  );
  const { AlarmActions: _, OKActions: __, ...fields } = { AlarmActions: [], OKActions: [], ...alarm };
  const onQueue = JSON.stringify(fields, (_key, value: unknown) =>
    Object.hasOwn(Object(value), 'Fn::GetAtt') ? queueName : value,
  );
  return { ...(JSON.parse(onQueue) as PutMetricAlarmCommandInput), AlarmName };
};

/** Gives the queue of dead letters the alarm of production, too. Returns its name. */
const putProductionAlarm = async ({ account, outputs }: AccountStage): Promise<string> => {
  const queueName = outputs[ALARMS.AlarmsPaymentDeadLetters]?.split('/').at(-1) ?? '';
  const alarmName = `${queueName}-check`;
  await account.cloudWatch.send(new PutMetricAlarmCommand(productionAlarm(alarmName, queueName)));
  return alarmName;
};

/** The checks of alarms on metrics that AWS publishes late. */
export const ALARM_CHECKS: readonly Check[] = [
  {
    name: "one message in an idle queue of dead letters sets off its alarm, and production's expression",
    needs: 'aws',
    run: async (stage) => {
      const { cloudWatch, resource } = stage.account;
      const ofProduction = await putProductionAlarm(stage);
      try {
        const waiting = Object.entries(ALARMS).map(([id, output]) =>
          minutesUntilAlarms(
            stage,
            id === 'AlarmsPaymentDeadLetters' ? [resource(id), ofProduction] : [resource(id)],
            output,
          ),
        );
        return `after ${(await Promise.all(waiting)).join(', ')} minutes`;
      } finally {
        await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [ofProduction] }));
      }
    },
  },
];
