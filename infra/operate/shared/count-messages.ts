import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Counts the messages of a queue. SQS may count a minute late. */
export const countMessages = async (sqs: SQSClient, QueueUrl: string) => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return {
    visible: Number(Attributes['ApproximateNumberOfMessages'] ?? 0),
    /** The messages that a receiver has. */
    hidden: Number(Attributes['ApproximateNumberOfMessagesNotVisible'] ?? 0),
    delayed: Number(Attributes['ApproximateNumberOfMessagesDelayed'] ?? 0),
  };
};
