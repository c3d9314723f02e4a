import { SQSClient, type SQSServiceException } from '@aws-sdk/client-sqs';
import type { DeliveryQueue } from '../../lib/webhooks/delivery.ts';
import { createSqsDeliveryQueue } from '../../lib/webhooks/sqs-delivery-queue.ts';
import { localClientConfig } from '../local/local-database.ts';
import { OperatorError } from '../operator-error.ts';
import type { Context } from './command.ts';
import { outputOf, type Stage } from './stage.ts';

/** The configuration of a client for the queues and the bus of a stage. A local stage serves them beside its DynamoDB. */
export const clientConfigOf = ({ localEndpoint }: Pick<Stage, 'localEndpoint'>) =>
  localEndpoint === undefined ? {} : localClientConfig(localEndpoint);

/**
 * Calls the queues or the bus of a stage.
 *
 * @throws OperatorError if the stage is local and the address is that of a DynamoDB alone
 */
export const callStage = async <Result>(
  { localEndpoint }: Pick<Stage, 'localEndpoint'>,
  call: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await call();
  } catch (error) {
    const { httpStatusCode = 0 } = (error as Partial<SQSServiceException>).$metadata ?? {};
    if (localEndpoint === undefined || httpStatusCode < 400 || httpStatusCode >= 500) throw error;
    throw new OperatorError(
      `No local stage runs at ${localEndpoint}: start one on it with \`npm start -- --dynamodb ${localEndpoint}\`, and pass the dynamodbEndpoint that it prints.`,
    );
  }
};

/** The client of a command for SQS. The default would send calls to the queue's address and ignore AWS_ENDPOINT_URL. */
export const createSqs = (stage: Pick<Stage, 'localEndpoint'> = {}): SQSClient =>
  new SQSClient({ useQueueUrlAsEndpoint: false, ...clientConfigOf(stage) });

/** The delivery queue of a stage. */
export const deliveryQueueOf = ({ stage, pauses }: Context): DeliveryQueue => {
  const queue = createSqsDeliveryQueue(createSqs(stage), outputOf(stage, 'DeliveryQueueUrl'), pauses);
  return { send: (messages, delaySeconds) => callStage(stage, () => queue.send(messages, delaySeconds)) };
};
