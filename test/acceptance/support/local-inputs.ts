import { startWebhookReceiver } from '../../support/http/webhook-receiver.ts';
import { givenSharedStage, type TestStage } from '../../support/programs/stage-process.ts';
import { type Inputs, readInputs } from './inputs.ts';

/** The inputs of a local stage, with keys that only the suite uses. */
export const localInputs = async (
  { baseUrl, stores, givenKey }: TestStage,
  webhookUrl: string,
): Promise<Inputs> =>
  readInputs({
    BASE_URL: baseUrl,
    API_KEY: await givenKey(),
    OTHER_API_KEY: stores[1]?.apiKey,
    SMALL_LIMIT_API_KEY: await givenKey({ limit: 3, windowSeconds: 3_600 }),
    WEBHOOK_URL: webhookUrl,
  });

/** The inputs of the local stage that the tests of this process share, with a receiver that ends with it. */
export const givenSharedInputs = async (): Promise<Inputs> => {
  const [stage, { url }] = await Promise.all([givenSharedStage(), startWebhookReceiver()]);
  return localInputs(stage, url);
};
