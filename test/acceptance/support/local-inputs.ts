import { startWebhookReceiver } from '../../support/http/webhook-receiver.ts';
import { givenSharedStage, type TestStage } from '../../support/programs/stage-process.ts';
import { type Inputs, notChecked, readInputs } from './inputs.ts';

/** The inputs of a local stage. `API_KEY` and `SMALL_LIMIT_API_KEY` are new keys. */
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

/**
 * The inputs of the shared local stage. The receiver ends with this process.
 *
 * @throws Error if the suite would skip a check
 */
export const givenSharedInputs = async (): Promise<Inputs> => {
  const [stage, { url }] = await Promise.all([givenSharedStage(), startWebhookReceiver()]);
  const inputs = await localInputs(stage, url);
  const unchecked = notChecked(inputs);
  if (unchecked.length > 0) throw new Error(`The shared stage cannot show ${unchecked.join('; ')}`);
  return inputs;
};
