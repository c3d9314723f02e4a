import { isHotKeyThrottle, isRetryable } from '../../aws/errors.ts';
import type { Clock } from '../../core/clock.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { hasParked } from '../../endpoints/endpoint.ts';
import type { Mode } from '../../stores/mode.ts';
import { type PostponingJob, postponeFailed } from '../../timers/postpone-failed.ts';
import type { HandledItems, TimerJob } from '../../timers/timer-job.ts';
import type { DueItem } from '../../timers/timer-repository.ts';
import { kindOf, shardsOf } from '../../timers/timer.ts';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import { drainRequestOf } from '../queue/queue-message.ts';
import { mayDrain } from './drain-need.ts';
import type { EndpointTimers } from './endpoint-timers.ts';

interface ProbeJobDependencies {
  readonly endpointTimers: Pick<EndpointTimers, 'repository' | 'postpone' | 'end'>;
  readonly queue: DeliveryQueue;
  readonly now: Clock;
}

/** The next run, a minute later, looks at the endpoint again. A run at the same time, or with a stale index, does not. */
const AGAIN_MS = 30_000;

const ENDPOINTS_AT_ONCE = 10;

/**
 * Asks for a drain of an endpoint, or ends its timer if a drain has found no parked delivery.
 *
 * After an error other than an outage, it postpones the endpoint further. `runJob` could not, because it has only the timer from
 * before `postpone`.
 *
 * @throws an outage
 */
const handleEndpoint = async (
  job: PostponingJob,
  item: DueItem,
  { endpointTimers, queue, now }: ProbeJobDependencies,
  signal: AbortSignal,
): Promise<HandledItems> => {
  const nowMs = now();
  const postponed = { ...item, timerAtMs: nowMs + AGAIN_MS };
  try {
    const endpoint = await endpointTimers.postpone(item, postponed.timerAtMs);
    // TTL deletes the parked deliveries of an endpoint that was removed.
    if (!endpoint) return { count: 0 };
    if (!hasParked(endpoint.state)) {
      await endpointTimers.end(postponed);
      return { count: 0 };
    }
    if (!mayDrain(endpoint, nowMs)) return { count: 0 };
    await queue.send([drainRequestOf(endpoint)]);
    return { count: 1 };
  } catch (error) {
    if (signal.aborted || isRetryable(error)) throw error;
    await postponeFailed(job, postponed, error, now());
    return { count: 0, failed: 1 };
  }
};

/**
 * Asks `deliver-webhooks` to send a probe to each endpoint of a mode whose breaker is open, and to continue a drain whose process
 * has died.
 */
export const createProbeJob = (mode: Mode, dependencies: ProbeJobDependencies): TimerJob => {
  const job: TimerJob = {
    name: `${mode} probes`,
    lagMetric: 'TimerLagSeconds',
    repository: dependencies.endpointTimers.repository,
    shards: shardsOf(kindOf('probe', mode)),
    async handle(items, signal) {
      let count = 0;
      let failed = 0;
      let throttle: Error | undefined;
      await inParallel(items, ENDPOINTS_AT_ONCE, async (item) => {
        try {
          const handled = await handleEndpoint(job, item, dependencies, signal);
          count += handled.count;
          failed += handled.failed ?? 0;
        } catch (error) {
          // Many messages compete for the item of one endpoint. The other endpoints come first.
          if (!isHotKeyThrottle(error)) throw error;
          throttle = error as Error;
        }
      });
      if (throttle) throw throttle;
      return { count, failed, firstTimerAtMs: count === 0 ? undefined : items[0]?.timerAtMs };
    },
  };
  return job;
};
