import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveryMessageOf, testMessageOf } from '../../../../lib/deliveries/queue/queue-message.ts';
import {
  createDeliveryRepository,
  type DeliveryRepository,
} from '../../../../lib/deliveries/records/delivery-repository.ts';
import type { WebhookEndpoint } from '../../../../lib/endpoints/endpoint.ts';
import { createSecretRepository } from '../../../../lib/endpoints/secret-repository.ts';
import { createOperatorEndpointRepository } from '../../../../lib/operators/operator-endpoint-repository.ts';
import { dropEndpoint } from '../../../support/domain/endpoints.ts';
import { givenOperatedService, type OperatedService } from '../../../support/operators/deployed-stage.ts';

let stage: OperatedService;
let deliveries: DeliveryRepository;
let endpoint: WebhookEndpoint;
let nowMs: number;

beforeAll(async () => {
  stage = await givenOperatedService();
  deliveries = createDeliveryRepository(stage.documents, stage.tableNames.deliveries, stage.clock.now);
  await stage.givenStore('hooked');
  return stage.close;
});

beforeEach(async () => {
  nowMs = stage.clock.now();
  const args = 'webhooks create --store hooked --mode test --url https://shop.example/hook'.split(' ');
  const { id } = await stage.runJson<{ id: string }>(...args);
  const endpoints = createOperatorEndpointRepository(stage.documents, stage.tableNames.webhookEndpoints);
  endpoint = (await endpoints.findById(id))!;
  return () => dropEndpoint(stage, endpoint);
});

const list = async (...flags: readonly string[]): Promise<string> =>
  (await stage.run(['webhooks', 'deliveries', endpoint.endpointId, ...flags])).stdout;

const listJson = (...flags: readonly string[]) =>
  stage.runJson('webhooks', 'deliveries', endpoint.endpointId, ...flags);

test('attempts have the start of the response, in printable characters, and no secret', async () => {
  const response = `\u001b[31mno\u0007\nsecond line`;
  const attempt = { atMs: nowMs, attempt: 1, status: 500, ms: 12, response };
  await deliveries.record(testMessageOf(endpoint, nowMs), { status: 'failed', result: attempt }, nowMs);
  const { secret = '' } =
    (await createSecretRepository(stage.documents, stage.tableNames.secrets).find(endpoint.endpointId)) ?? {};

  const stdout = await list('--failed');

  expect(stdout).toMatch(/webhook\.ping {2}evt_\w+ {2}failed\n.*attempt 1 {2}500 {2}12 ms/);
  expect(stdout.trimEnd()).not.toMatch(/[^\P{Cc}\n]/u);
  expect(secret).toMatch(/^whsec_/);
  expect(stdout).not.toContain(secret);
  expect(await listJson()).toMatchObject({
    deliveries: [{ status: 'failed', attempts: [{ attempt: 1, status: 500, ms: 12, response }] }],
  });
});

test.each([[], ['--failed']])('those that are parked wait for their endpoint: %s', async (...flags) => {
  const event = { id: 'evt_1', type: 'cart.completed', recordedAtMs: nowMs, sequence: 1 } as const;
  const message = deliveryMessageOf(endpoint, event);
  const next = { attempt: 1 };
  await deliveries.record(message, { status: 'waiting', next }, nowMs);

  expect(await list(...flags)).toMatch(/cart\.completed {2}evt_1 {2}waiting for the endpoint\n$/);
  expect(await listJson(...flags)).toMatchObject({
    deliveries: [{ eventId: 'evt_1', status: 'waiting', attempts: [] }],
  });
});

test('--failed omits deliveries that succeeded', async () => {
  const attempt = { atMs: nowMs, attempt: 1, status: 200, ms: 1 };
  await deliveries.record(testMessageOf(endpoint, nowMs), { status: 'succeeded', result: attempt }, nowMs);

  expect(await listJson('--failed')).toStrictEqual({ deliveries: [] });
  expect(await listJson()).toMatchObject({ deliveries: [{ status: 'succeeded' }] });
});
