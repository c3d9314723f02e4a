import type { TestProject } from 'vitest/node';
import { startWebhookReceiver } from '../../support/http/webhook-receiver.ts';
import { createLogFolder, endLogFolder } from '../../support/logs/log-files.ts';
import { givenStage } from '../../support/programs/stage-process.ts';
import { shareCompiledModules } from '../../support/run/compile-cache.ts';
import { useTemporaryFolder } from '../../support/run/temporary-folder.ts';
import { createHttpClient } from '../../support/service/http-client.ts';
import { type Inputs, notChecked, readInputs } from './inputs.ts';
import { localInputs } from './local-inputs.ts';

interface Target {
  readonly inputs: Inputs;
  end(): Promise<void>;
}

const startLocalStage = async (): Promise<Target> => {
  useTemporaryFolder();
  shareCompiledModules();
  createLogFolder();
  const { DYNAMODB_URL = '' } = process.env;
  const database = DYNAMODB_URL === '' ? ['--data', 'memory'] : ['--dynamodb', DYNAMODB_URL];
  const [stage, receiver] = await Promise.all([givenStage(database), startWebhookReceiver()]);
  return {
    inputs: await localInputs(stage, receiver.url),
    end: async () => {
      await stage.stop();
      await receiver.close();
      endLogFolder();
    },
  };
};

/**
 * Checks with one request that the stage responds and accepts the key.
 *
 * @throws Error with one sentence for the operator
 */
const assertReady = async ({ baseUrl, apiKey }: Inputs): Promise<void> => {
  const response = await createHttpClient(baseUrl)
    .getCart('ready', { apiKey })
    .catch((error: unknown) => ({ status: undefined, body: { code: String(error) } }));
  if (response.status === 401) throw new Error(`The stage at ${baseUrl} rejects the API_KEY.`);
  if (response.status === undefined || response.body['code'] === 'NOT_FOUND') {
    throw new Error(`No Cart Checkout responds at ${baseUrl} (BASE_URL): ${String(response.body['code'])}.`);
  }
};

/** The stage at `BASE_URL`; if neither `BASE_URL` nor `API_KEY` is set, a local stage for this run. */
const findTarget = async ({ BASE_URL = '', API_KEY = '' } = process.env): Promise<Target> => {
  if (BASE_URL === '' && API_KEY === '') return startLocalStage();
  const inputs = readInputs(process.env);
  await assertReady(inputs);
  return { inputs, end: () => Promise.resolve() };
};

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const { inputs, end } = await findTarget();
  project.provide('inputs', inputs);
  return async () => {
    await end();
    const unchecked = notChecked(inputs);
    if (unchecked.length > 0) process.stdout.write(`Not checked: ${unchecked.join('; ')}\n`);
  };
};
