import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import type { DeliveryMessage } from '../../../../lib/deliveries/queue/queue-message.ts';
import type { AttemptResult } from '../../../../lib/deliveries/records/attempt.ts';
import {
  createDeliveryRepository,
  type DeliveryRepository,
} from '../../../../lib/deliveries/records/delivery-repository.ts';
import { ENDPOINTS_MAX } from '../../../../lib/endpoints/endpoint.ts';
import {
  createSecretRepository,
  type SecretRepository,
} from '../../../../lib/endpoints/secret-repository.ts';
import {
  createOperatorEndpointRepository,
  type OperatorEndpointRepository,
} from '../../../../lib/operators/operator-endpoint-repository.ts';
import { timerOf } from '../../../../lib/timers/timer.ts';
import { makeQuick, endpointChangesOf } from '../../../support/domain/endpoints.ts';
import {
  BUS_AND_QUEUES,
  givenOperatedService,
  type OperatedService,
} from '../../../support/operators/deployed-stage.ts';
import { withDefaults } from '../../../support/operators/with-defaults.ts';
import { expectFailure } from '../../../support/programs/expect-sentence.ts';

type WebhookLine = { readonly id: string; readonly secret?: string } & Readonly<Record<string, unknown>>;

const QUEUE = BUS_AND_QUEUES.SlowTestDeliveryQueueUrl;
const URL = 'https://shop.example/hook';
const SECRET = /whsec_/;

let stage: OperatedService;
let endpoints: OperatorEndpointRepository;
let secrets: SecretRepository;
let deliveries: DeliveryRepository;
let storeCount = 0;
let store: string;

beforeAll(async () => {
  stage = await givenOperatedService();
  const { documents, tableNames } = stage;
  endpoints = createOperatorEndpointRepository(documents, tableNames.webhookEndpoints);
  secrets = createSecretRepository(documents, tableNames.secrets);
  deliveries = createDeliveryRepository(documents, tableNames.deliveries, stage.clock.now);
  return stage.close;
});

beforeEach(async () => {
  storeCount += 1;
  store = `hooked-${storeCount}`;
  await stage.givenStore(store);
});

const argsOf = (...flags: readonly string[]): readonly string[] => [
  'webhooks',
  'create',
  ...withDefaults({ '--store': store, '--mode': 'test', '--url': URL }, flags),
];

const createWebhook = (...flags: readonly string[]): Promise<WebhookLine> =>
  stage.runJson<WebhookLine>(...argsOf(...flags));

const listWebhooks = async (): Promise<readonly WebhookLine[]> =>
  (await stage.runJson<{ webhooks: WebhookLine[] }>('webhooks', 'list', '--store', store)).webhooks;

const findWebhook = async (id: string): Promise<WebhookLine | undefined> =>
  (await listWebhooks()).find((webhook) => webhook.id === id);

/** The messages in the delivery queue for an endpoint. */
const messagesFor = (id: string): readonly DeliveryMessage[] =>
  stage.aws.queues
    .bodies(QUEUE)
    .map((body) => JSON.parse(body) as DeliveryMessage)
    .filter(({ endpoint }) => endpoint.endpointId === id);

/** Records one attempt of each message for an endpoint, as the function of a stage does. */
const deliverAs = (id: string, result: AttemptResult) => async (): Promise<void> => {
  const nowMs = stage.clock.now();
  const status = result.status === 200 ? 'succeeded' : 'failed';
  for (const message of messagesFor(id)) {
    const attempt = { atMs: nowMs, attempt: message.attempt, ...result };
    await deliveries.record(message, { status, result: attempt }, nowMs);
  }
};

describe('webhooks create', () => {
  test('stores an endpoint, and shows its secret once', async () => {
    const flags = ['--events', 'cart.abandoned,cart.completed', '--label', 'Web shop'];
    const { id, secret, ...created } = await createWebhook(...flags);

    expect(created).toMatchObject({
      storeId: store,
      mode: 'test',
      url: URL,
      eventTypes: ['cart.completed', 'cart.abandoned'],
      label: 'Web shop',
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await secrets.find(id)).toMatchObject({ secret });
    expect(await findWebhook(id)).toMatchObject({ ...created, state: 'enabled' });
  });

  test('shows a person the secret, once', async () => {
    const { stdout } = await stage.run(argsOf());

    expect(stdout.match(new RegExp(SECRET, 'g'))).toHaveLength(1);
    expect((await stage.run(['webhooks', 'list', '--store', store])).stdout).not.toMatch(SECRET);
    expect(JSON.stringify(await listWebhooks())).not.toMatch(SECRET);
  });

  test('names the remedy if the secret cannot be shown', async () => {
    expectFailure(
      await stage.run(argsOf(), { outputError: 'ENOSPC' }),
      1,
      /secret of we_\w+ could not be shown: remove the endpoint/,
    );
  });

  test('rejects http to this machine on a deployed stage', async () => {
    expectFailure(await stage.run(argsOf('--url', 'http://127.0.0.1:8080/hook')), 2, /https/);
    expect(await listWebhooks()).toStrictEqual([]);
  });

  test('rejects a host with one address that is not public', async () => {
    const resolve = async () => ['93.184.215.14', '10.0.0.1'];

    expectFailure(await stage.run(argsOf(), { resolve }), 1, /not public/);
    expect(await listWebhooks()).toStrictEqual([]);
  });

  test('rejects the address that API Gateway generates for the stage, also beside a domain', async () => {
    const outputs = { ...stage.outputs, BaseUrl: 'https://pay.example.com/', ApiId: 'abcde12345' };
    stage.cloudFormation.stacks.set('CartCheckout-own', { status: 'UPDATE_COMPLETE', outputs });
    for (const host of ['abcde12345.execute-api.eu-west-1.amazonaws.com', 'pay.example.com']) {
      const args = argsOf('--url', `https://${host}/prod/hook`);
      expectFailure(await stage.run(args, { stage: 'own' }), 2, /must not be one of this API/);
    }
  });

  test('accepts http to this machine on a stage that sends webhooks there, in an emulator of AWS', async () => {
    const outputs = { ...stage.outputs, WebhookLoopback: 'true' };
    stage.cloudFormation.stacks.set('CartCheckout-emulated', { status: 'UPDATE_COMPLETE', outputs });
    const args = argsOf('--url', 'http://127.0.0.1:8080/hook');

    expect(await stage.run(args, { stage: 'emulated' })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('rejects more endpoints of a store and mode than it may have, and keeps no secret of them', async () => {
    for (let count = 0; count < ENDPOINTS_MAX; count += 1) await createWebhook();

    expectFailure(await stage.run(argsOf()), 1, /has 10 test endpoints/);
    expect(await listWebhooks()).toHaveLength(ENDPOINTS_MAX);
    const TableName = stage.tableNames.secrets;
    const { Items = [] } = await stage.documents.send(new ScanCommand({ TableName }));
    const ids = new Set<unknown>((await endpoints.list()).map(({ endpointId }) => endpointId));
    expect(Items.filter(({ id }) => !ids.has(id))).toStrictEqual([]);
    expect(await createWebhook('--mode', 'live', '--yes')).toMatchObject({ mode: 'live' });
  });

  test('rejects an unknown type of events', async () => {
    expectFailure(await stage.run(argsOf('--events', 'cart.paid')), 2, /cart\.completed/);
  });
});

describe('webhooks rotate', () => {
  test.each([
    [2, ['--overlap', '2h']],
    [24, []],
  ])('shows a new secret, and keeps the old one for %i hours: %j', async (hours, flags) => {
    const { id, secret: old } = await createWebhook();
    const { secret } = await stage.runJson<WebhookLine>('webhooks', 'rotate', id, ...flags);
    expect(secret).not.toBe(old);
    const untilMs = stage.clock.now() + hours * 3_600_000;
    expect(await secrets.find(id)).toStrictEqual({
      id,
      secret,
      previous: { secret: old, untilMs },
    });
  });

  test('without an overlap, ends the old secret at once', async () => {
    const { id } = await createWebhook();
    const { stdout } = await stage.run(['webhooks', 'rotate', id, '--overlap', '0s']);
    expect(stdout).toContain('The old secret has ended.');
    expect(await secrets.find(id)).not.toHaveProperty('previous');
  });
});

describe('webhooks disable and enable', () => {
  test('the list says since when and why, and an operator keeps the time of an earlier disabling', async () => {
    const { id } = await createWebhook();
    const endpoint = (await endpoints.findById(id))!;
    await endpointChangesOf(stage).update(endpoint, {
      disabled: { atMs: stage.clock.now(), reason: 'gone' },
    });
    expect((await stage.run(['webhooks', 'list', '--store', store])).stdout).toContain('disabled (gone)');
    stage.clock.advance(60);
    await stage.run(['webhooks', 'disable', id]);

    const { stdout } = await stage.run(['webhooks', 'list', '--store', store]);

    expect(stdout).toMatch(/disabled \(operator\) since 2026-01-15 12:3/);
    expect(await findWebhook(id)).toMatchObject({ state: 'disabled', disabledReason: 'operator' });
  });

  test('an enabled endpoint keeps the timer of its parked deliveries, and gets a hint to replay what it missed', async () => {
    const { id } = await createWebhook();
    const timers = createEndpointTimers(stage.documents, stage.tableNames.webhookEndpoints);
    const nowMs = stage.clock.now();
    await timers.notePark((await endpoints.findById(id))!, nowMs);
    await stage.run(['webhooks', 'disable', id]);

    const { stdout } = await stage.run(['webhooks', 'enable', id]);

    expect(stdout).toMatch(
      new RegExp(`Events since 2026-\\S+ may not have reached it\\. .*webhooks replay ${id} --since 2026-`),
    );
    expect(await findWebhook(id)).toMatchObject({ state: 'enabled' });
    const { timer, timerAtMs } = timerOf('test-probe', id, nowMs);
    const { value: due } = await timers.repository.due(timer, timerAtMs).next();
    expect((due ?? []).map(({ key }) => key['id'])).toContain(id);
  });
});

describe('webhooks remove', () => {
  test('deletes the endpoint and its secret', async () => {
    const { id } = await createWebhook();
    await stage.runJson('webhooks', 'remove', id);

    expect([await endpoints.findById(id), await secrets.find(id)]).toStrictEqual([undefined, undefined]);
    expectFailure(await stage.run(['webhooks', 'remove', id]), 1, /No webhook endpoint has the id/);
  });
});

describe('webhooks test', () => {
  test('puts a ping on the delivery queue, and shows the response', async () => {
    const { id } = await createWebhook();
    const sleep = deliverAs(id, { status: 200, ms: 12, response: 'fine' });

    const { exitCode, stdout } = await stage.run(['webhooks', 'test', id], { sleep });

    expect(messagesFor(id)).toMatchObject([{ type: 'webhook.ping', attempt: 1 }]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/webhook\.ping {2}evt_\w+ {2}succeeded\n.* 200 {2}12 ms {2}fine\n$/);
  });

  test('puts it on the quick queue for a quick endpoint', async () => {
    const { id } = await createWebhook();
    await makeQuick(stage, { storeId: store, mode: 'test', endpointId: id });
    await stage.run(['webhooks', 'test', id]);
    expect(messagesFor(id)).toStrictEqual([]);
    const [ping = ''] = stage.aws.queues.bodies(BUS_AND_QUEUES.TestDeliveryQueueUrl);
    expect(JSON.parse(ping)).toMatchObject({ type: 'webhook.ping', endpoint: { endpointId: id } });
  });

  test('fails if the receiver does not accept it', async () => {
    const { id } = await createWebhook();
    const sleep = deliverAs(id, { status: 500, ms: 12, response: 'oops' });

    const { exitCode, stdout, stderr } = await stage.run(['webhooks', 'test', id], { sleep });

    expect({ exitCode, stderr }).toStrictEqual({
      exitCode: 1,
      stderr: `The endpoint ${id} did not accept the ping.\n`,
    });
    expect(stdout).toContain('500');
  });

  test('fails if nothing delivers the ping', async () => {
    const { id } = await createWebhook();

    expectFailure(await stage.run(['webhooks', 'test', id]), 1, /has not delivered the ping within 45 s/);
  });

  test('sends nothing to a disabled endpoint', async () => {
    const { id } = await createWebhook();
    await stage.run(['webhooks', 'disable', id]);

    expectFailure(await stage.run(['webhooks', 'test', id]), 1, /disabled: enable it/);
    expect(messagesFor(id)).toStrictEqual([]);
  });
});
