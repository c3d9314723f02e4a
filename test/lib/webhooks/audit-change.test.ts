import type { PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { expect, it, vi } from 'vitest';
import { createAuditChange } from '../../../lib/webhooks/audit-change.ts';
import { NOW_MS } from '../../support/clock.ts';
import { logged } from '../../support/log-lines.ts';

const ENDPOINT = {
  storeId: 'shop',
  mode: 'live',
  endpointId: 'we_1',
  url: 'https://shop.example/hook?token=1',
  createdAtMs: NOW_MS,
} as const;

const RECORD = {
  changeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  at: new Date(NOW_MS).toISOString(),
  caller: 'key 06292f8a1b2c',
  command: 'webhooks rotate',
  ids: { endpointId: 'we_1', storeId: 'shop', mode: 'live' },
  outcome: 'done',
};

it('a change is one record in the stream of merchants, without the address', async () => {
  const send = vi.fn(async (_command: unknown) => ({}));
  await createAuditChange({ send } as never, 'audit', () => NOW_MS)('rotate', ENDPOINT, '06292f8a1b2c');
  expect(send).toHaveBeenCalledOnce();
  const { input } = send.mock.calls[0]![0] as PutLogEventsCommand;
  expect(input).toMatchObject({ logGroupName: 'audit', logStreamName: 'merchants' });
  expect(input.logEvents).toMatchObject([{ timestamp: NOW_MS }]);
  expect(JSON.parse(input.logEvents?.[0]?.message ?? '')).toStrictEqual(RECORD);
});

it('a change that cannot be recorded is in the log of the function, and does not fail', async () => {
  const send = vi.fn(async () => Promise.reject(new Error('secret text')));
  const lines = await logged(async () => {
    await createAuditChange({ send } as never, 'audit', () => NOW_MS)('rotate', ENDPOINT, '06292f8a1b2c');
  });
  expect(lines).toMatchObject([{ level: 'ERROR', message: 'not audited', ...RECORD }]);
  expect(JSON.stringify(lines)).not.toContain('secret text');
});

it('the local stage has no audit log', async () => {
  const send = vi.fn(async () => ({}));
  await createAuditChange({ send } as never, undefined, () => NOW_MS)('create', ENDPOINT, '06292f8a1b2c');
  expect(send).not.toHaveBeenCalled();
});

it('an audit log that does not respond holds back no response', async () => {
  const send = vi.fn(
    async (_command: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
      new Promise((_, reject) => {
        abortSignal.addEventListener('abort', () => reject(abortSignal.reason as Error));
      }),
  );
  const lines = await logged(async () => {
    await createAuditChange({ send } as never, 'audit', () => NOW_MS)('rotate', ENDPOINT, '06292f8a1b2c');
  });
  expect(lines).toMatchObject([{ level: 'ERROR', message: 'not audited' }]);
});
