import { expect, it } from 'vitest';
import { createEndpointTimers } from '../../../../lib/deliveries/parking/endpoint-timers.ts';
import { createProbeJob } from '../../../../lib/deliveries/parking/probe-job.ts';
import type { DueItem } from '../../../../lib/timers/timer-repository.ts';
import { timerOf } from '../../../../lib/timers/timer.ts';
import { NOW_MS } from '../../../support/clock.ts';
import { givenDatabase } from '../../../support/database/database.ts';

const now = () => NOW_MS;

// The emulator throttles no item.
it('an endpoint whose item is throttled stays due, and holds back no other', async () => {
  const { documents, tableNames } = await givenDatabase();
  const throttle = Object.assign(new Error('throttled'), {
    name: 'ThrottlingException',
    throttlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
  });
  const postponed: unknown[] = [];
  const endpointTimers = {
    ...createEndpointTimers(documents, tableNames.webhookEndpoints),
    postpone: async ({ key: { id } }: DueItem) => {
      postponed.push(id);
      if (id === 'we_0') throw throttle;
      return undefined;
    },
  };
  const queue = { send: async () => {} };
  const ids = Array.from({ length: 30 }, (_, index) => `we_${index}`);
  const due = ids.map((id): DueItem => ({ key: { log: 'live#shop', id }, ...timerOf('probe', id, NOW_MS) }));

  const job = createProbeJob('live', { endpointTimers, queue, now });
  await expect(job.handle(due, new AbortController().signal)).rejects.toBe(throttle);
  expect(postponed).toStrictEqual(ids);
});
