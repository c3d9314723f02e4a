import type { PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { expect, it, vi } from 'vitest';
import { createAuditSink } from '../../../lib/endpoints/audit-sink.ts';
import { endpointEvent } from '../../../lib/endpoints/endpoint-event.ts';
import type { EndpointEventType } from '../../../lib/events/event-types.ts';
import type { LoggedEvent } from '../../../lib/events/logged-event.ts';
import { NOW_MS } from '../../support/clock.ts';
import { logged } from '../../support/logs/log-lines.ts';

const ENDPOINT = {
  storeId: 'shop',
  mode: 'live',
  endpointId: 'we_1',
  url: 'https://shop.example/hook?token=1',
  createdAtMs: NOW_MS,
} as const;

/** The event of a change, by a key or by an operator. */
const eventOf = (type: EndpointEventType, keyId?: string, recordedAtMs = NOW_MS): LoggedEvent => {
  const { bodyAt, ...event } = endpointEvent(type, ENDPOINT, keyId);
  return { ...event, sequence: 1, recordedAtMs, body: JSON.stringify(bodyAt(recordedAtMs)) };
};

const recordOf = ({ id }: LoggedEvent, command: string) => ({
  changeId: id,
  at: new Date(NOW_MS).toISOString(),
  caller: 'key 06292f8a1b2c',
  command,
  ids: { endpointId: 'we_1', storeId: 'shop', mode: 'live' },
  outcome: 'done',
});

const givenClient = () => {
  const send = vi.fn(async (_command: unknown, _options: unknown) => ({}));
  const inputs = () => send.mock.calls.map(([command]) => (command as PutLogEventsCommand).input);
  return { send, inputs };
};

it.each([
  ['webhook_endpoint.created', 'webhooks create'],
  ['webhook_endpoint.updated', 'webhooks update'],
  ['webhook_endpoint.deleted', 'webhooks remove'],
  ['webhook_endpoint.secret_rotated', 'webhooks rotate'],
] as const)('%s is one record in the stream of merchants, without the address', async (type, command) => {
  const { send, inputs } = givenClient();
  const event = eventOf(type, '06292f8a1b2c');
  await createAuditSink({ send } as never, 'audit')([event]);
  expect(inputs()).toMatchObject([{ logGroupName: 'audit', logStreamName: 'merchants' }]);
  expect(inputs()[0]?.logEvents).toMatchObject([{ timestamp: NOW_MS }]);
  const message = inputs()[0]?.logEvents?.[0]?.message ?? '';
  expect(JSON.parse(message)).toStrictEqual(recordOf(event, command));
});

it('records are in the order of their times', async () => {
  const { send, inputs } = givenClient();
  const times = [NOW_MS + 1_000, NOW_MS, NOW_MS + 500];
  const events = times.map((timeMs) => eventOf('webhook_endpoint.updated', '06292f8a1b2c', timeMs));
  await createAuditSink({ send } as never, 'audit')(events);
  const timestamps = inputs()[0]?.logEvents?.map(({ timestamp }) => timestamp);
  expect(timestamps).toStrictEqual([NOW_MS, NOW_MS + 500, NOW_MS + 1_000]);
});

it('an operator’s change and an event of a cart have no record', async () => {
  const { send } = givenClient();
  const cartEvent = { ...eventOf('webhook_endpoint.updated', '06292f8a1b2c'), type: 'cart.completed' };
  await createAuditSink({ send } as never, 'audit')([eventOf('webhook_endpoint.updated'), cartEvent]);
  expect(send).not.toHaveBeenCalled();
});

it('a change that cannot be recorded is in the log of the function, and holds back no event', async () => {
  const send = vi.fn(async () => Promise.reject(new Error('secret text')));
  const event = eventOf('webhook_endpoint.secret_rotated', '06292f8a1b2c');
  const lines = await logged(() => createAuditSink({ send } as never, 'audit')([event]));
  const record = recordOf(event, 'webhooks rotate');
  expect(lines).toMatchObject([{ level: 'ERROR', message: 'not audited', ...record }]);
  expect(JSON.stringify(lines)).not.toContain('secret text');
});

it('the local stage has no audit log', async () => {
  const { send } = givenClient();
  const event = eventOf('webhook_endpoint.created', '06292f8a1b2c');
  await createAuditSink({ send } as never, undefined)([event]);
  expect(send).not.toHaveBeenCalled();
});

it('an audit log that does not respond holds back no event for longer than 0.8 s', async () => {
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  const send = vi.fn(
    async (_command: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
      new Promise((_, reject) => {
        abortSignal.addEventListener('abort', () => reject(abortSignal.reason as Error));
        time.abort();
      }),
  );
  const event = eventOf('webhook_endpoint.secret_rotated', '06292f8a1b2c');
  const lines = await logged(() => createAuditSink({ send } as never, 'audit')([event]));
  expect(lines).toMatchObject([{ level: 'ERROR', message: 'not audited' }]);
  expect(timeout.mock.calls).toStrictEqual([[800]]);
});
