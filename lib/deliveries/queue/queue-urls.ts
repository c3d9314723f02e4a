import type { SettingValues } from '../../settings/settings.ts';
import { type Mode, MODES } from '../../stores/mode.ts';
import type { Lane } from './lanes.ts';

/** The addresses of the delivery queues. */
export type QueueUrls = Readonly<Record<Mode, Readonly<Record<Lane, string>>>>;

/** The addresses in the settings of a function. */
export const queueUrlsOf = (
  settings: SettingValues<
    'deliveryQueueUrl' | 'testDeliveryQueueUrl' | 'slowDeliveryQueueUrl' | 'slowTestDeliveryQueueUrl'
  >,
): QueueUrls => ({
  live: { quick: settings.deliveryQueueUrl, slow: settings.slowDeliveryQueueUrl },
  test: { quick: settings.testDeliveryQueueUrl, slow: settings.slowTestDeliveryQueueUrl },
});

/** A queue that a batch of messages comes from. */
export interface FoundQueue {
  readonly queueUrl: string;
  readonly mode: Mode;
  readonly lane: Lane;
}

/**
 * Finds a queue by the ARN that its records have. The last part of ARN and address is the queue's name.
 *
 * @throws Error if none of the addresses is the queue's
 */
export const queueOf = (arn: string, queueUrls: QueueUrls): FoundQueue => {
  const name = arn.slice(arn.lastIndexOf(':') + 1);
  for (const mode of MODES) {
    for (const lane of ['quick', 'slow'] as const) {
      const queueUrl = queueUrls[mode][lane];
      if (queueUrl.endsWith(`/${name}`)) return { queueUrl, mode, lane };
    }
  }
  throw new Error(`The function knows no address of the queue ${name}`);
};
