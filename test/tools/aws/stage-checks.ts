import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  GetAliasCommand,
  GetFunctionConfigurationCommand,
  PublishVersionCommand,
  UpdateAliasCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { until } from '../../../infra/operate/shared/until.ts';
import { ALIAS_NAME } from '../../../infra/stack/rollout.ts';
import { API_ERRORS, type ApiErrorShape } from '../../../lib/http/errors.ts';
import type { ApiResponse } from '../../support/contract/contract.ts';
import { createCart } from '../../support/deploy/store.ts';
import type { Account, Check, CheckedStage } from './checked-stage.ts';

interface Delivery {
  readonly status: string;
  readonly attempts: readonly { readonly status?: number; readonly response?: string }[];
}

/** Waits until the delivery of the only event fits. */
const untilDelivery = async (
  { operate }: CheckedStage,
  endpointId: string,
  seconds: number,
  fits: (delivery: Delivery) => boolean,
): Promise<Delivery> => {
  const found = await until({ sleep }, seconds, async () => {
    const { deliveries } = await operate('webhooks', 'deliveries', endpointId);
    return (deliveries as readonly Delivery[]).find(fits);
  });
  assert(found, `No such delivery within ${seconds} s`);
  return found;
};

const attempts =
  (count: number) =>
  (delivery: Delivery): boolean =>
    delivery.attempts.length >= count;

const expectError = (response: ApiResponse, { status, code, message }: ApiErrorShape): void =>
  assert.deepEqual([response.status, response.body], [status, { code, message }]);

/** The gateway permits a burst of 20 to unknown paths, and admits a few more, because its limits are approximate. */
const BURST = 200;

/** More than 1 MB. The gateway itself accepts 10 MB. */
const LARGE_BODY = 'x'.repeat(1_100_000);

/** More than the gateway accepts. */
const HUGE_BODY = 'x'.repeat(10.5 * 1_024 * 1_024);

/** Lets the alias of a function lead to a version that cannot start, while an action runs. */
const whileBroken = async (
  { lambda, resource }: Account,
  id: string,
  act: () => Promise<unknown>,
): Promise<void> => {
  const FunctionName = resource(id);
  const alias = { FunctionName, Name: ALIAS_NAME };
  const { FunctionVersion } = await lambda.send(new GetAliasCommand(alias));
  const { Handler } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const setHandler = async (name: string | undefined): Promise<void> => {
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Handler: name }));
    const isUpdated = async () => {
      const { LastUpdateStatus } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      return LastUpdateStatus === 'Successful' || undefined;
    };
    assert(await until({ sleep }, 60, isUpdated), 'The function was not updated within 60 s');
  };
  try {
    await setHandler('missing.handler');
    const { Version } = await lambda.send(new PublishVersionCommand({ FunctionName }));
    await lambda.send(new UpdateAliasCommand({ ...alias, FunctionVersion: Version }));
    await act();
  } finally {
    await lambda.send(new UpdateAliasCommand({ ...alias, FunctionVersion }));
    await setHandler(Handler);
  }
};

/** The checks of a deployed stage, in their order. `docs/operate.md`, "Check an account". */
export const STAGE_CHECKS: readonly Check[] = [
  {
    name: 'the acceptance suite passes',
    // docs/operate.md, "Acceptance of a deployed stage"
    requests: 250,
    run: async ({ accept }) => void (await accept()),
  },
  {
    name: 'a payment on the bus completes a cart',
    requests: 2,
    run: async (stage) => {
      const cartId = await createCart(stage);
      await stage.operate('payments', 'send', '--cart', cartId, '--result', 'succeeded');
      const { body } = await stage.client.getCart(cartId, { apiKey: stage.apiKey });
      assert.equal(body['status'], 'completed');
    },
  },
  {
    name: 'a webhook that a receiver rejects is sent again after 5 s',
    requests: 2,
    run: async (stage) => {
      const delivery = await untilDelivery(stage, stage.endpointId, 60, attempts(2));
      for (const { status, response } of delivery.attempts) {
        assert.equal(status, 404);
        assert.match(response ?? '', /NOT_FOUND/);
      }
    },
  },
  {
    name: 'a webhook that a receiver accepts has succeeded',
    needs: 'receiver',
    run: async (stage) =>
      void (await untilDelivery(
        stage,
        stage.acceptingEndpointId,
        60,
        ({ status }) => status === 'succeeded',
      )),
  },
  {
    name: 'UpdateItem returns ALL_NEW under the condition dynamodb:Attributes',
    needs: 'aws',
    requests: 1,
    run: async (stage) => {
      const { headers } = await stage.client.getCart('none', { apiKey: stage.apiKey });
      // Only the returned item has the limit of the key.
      assert.equal(headers['x-ratelimit-limit'], '100');
      await untilDelivery(stage, stage.endpointId, 60, attempts(1));
      return 'of a key, and of an endpoint';
    },
  },
  {
    name: 'the gateway throttles each method by itself, with its own error',
    needs: 'aws',
    requests: BURST + 1,
    run: async (stage) => {
      const burst = Array.from({ length: BURST }, () => stage.client.send('GET', '/nothing'));
      const throttled = (await Promise.all(burst)).filter(({ status }) => status !== 404);
      assert(throttled.length > 0, `None of ${BURST} requests was throttled`);
      for (const response of throttled) {
        expectError(response, API_ERRORS.rateLimited);
        assert.equal(response.headers['retry-after'], '1');
      }
      await createCart(stage);
      return `${throttled.length} of ${BURST} requests`;
    },
  },
  {
    name: "neither an unsigned request nor a merchant's key reads a cart by the payment side's route",
    needs: 'aws',
    requests: 3,
    run: async (stage) => {
      const path = `/internal/v1/carts/${await createCart(stage)}`;
      for (const headers of [{}, { Authorization: `Bearer ${stage.apiKey}` }]) {
        const { status, bodyText } = await stage.client.send('GET', path, headers);
        assert(status >= 400 && status < 500, `The response has the status ${status}`);
        assert.doesNotMatch(bodyText, /customerInfo/);
      }
    },
  },
  {
    name: 'the firewall rejects a body of more than 1 MB, with the error of the gateway',
    needs: 'aws',
    requests: 1,
    run: async ({ client, apiKey }) =>
      expectError(await client.createCart(LARGE_BODY, { apiKey }), API_ERRORS.payloadTooLarge),
  },
  {
    name: "a body of more than 10 MB gets 413, also API Gateway's own one",
    needs: 'aws',
    requests: 1,
    run: async ({ client, apiKey }) => {
      const { status, body } = await client.createCart(HUGE_BODY, { apiKey });
      assert.equal(status, API_ERRORS.payloadTooLarge.status);
      return `code: ${String(body['code'])}`;
    },
  },
  {
    name: 'a path of 2,000 bytes gets 414',
    needs: 'aws',
    requests: 1,
    run: async ({ client }) => {
      const { status, bodyText } = await client.send('GET', '/'.padEnd(2_000, 'x'));
      assert.equal(status, API_ERRORS.pathTooLong.status);
      return bodyText;
    },
  },
  {
    name: 'a function that cannot start leads to 502, with the error of the gateway',
    needs: 'aws',
    requests: 1,
    run: ({ account, client }) =>
      whileBroken(account, 'ListEvents', async () =>
        expectError(await client.send('GET', '/api/v1/stores/events'), API_ERRORS.functionFailed),
      ),
  },
  {
    name: 'CodeDeploy shifts the alias of a function to a new version',
    needs: 'aws',
    requests: 1,
    run: async (stage) => {
      const { lambda, resource, redeploy } = stage.account;
      const alias = new GetAliasCommand({ FunctionName: resource('CreateCartCheckout'), Name: ALIAS_NAME });
      const before = await lambda.send(alias);
      await redeploy({ cartExpiryMinutes: '60' });
      const after = await lambda.send(alias);
      assert.notEqual(after.FunctionVersion, before.FunctionVersion, 'The alias has the old version');
      await createCart(stage);
    },
  },
  {
    // Later attempts begin with a timer, which starts another chain.
    name: 'Lambda drops no retry as a recursion: the longest chain has three attempts by the queue',
    needs: 'aws',
    run: async (stage) => void (await untilDelivery(stage, stage.endpointId, 420, attempts(3))),
  },
];
