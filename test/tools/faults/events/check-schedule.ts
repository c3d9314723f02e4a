import type { Attempt, DeliveryRecord } from '../../../../lib/webhooks/delivery.ts';
import type { Random } from '../load/random.ts';
import type { BrokenRule } from './rules.ts';
import type { ScheduleCheck } from './scenarios.ts';
import { checkTimers } from './check-timers.ts';
import { startSimulation } from './schedule.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The schedule of attempts that the documentation promises, in seconds after the one before. */
const SCHEDULE_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const TOLERANCE = 0.1;

/** The queue delays by whole seconds. */
const RESOLUTION_MS = 1_000;

/** The pauses before probes, in minutes. The last one repeats. */
const PROBE_MINUTES = [1, 2, 4, 8, 15];

/** `run-due` starts each minute, and may leave a probe to the next run. */
const PROBE_LATE_MAX_MS = 2 * MINUTE_MS;

const OPENS_AFTER = 5;
const DRAINED_PER_MINUTE_MAX = 600;
const DOWN_HOURS = 3;
const ENDPOINTS = 10;

const scheduleIssues = ({ eventId, status, attempts }: DeliveryRecord): BrokenRule[] => {
  const issueOf = ({ atMs }: Attempt, index: number): string | undefined => {
    const delayMs = atMs - (attempts[index]?.atMs ?? 0);
    const dueMs = (SCHEDULE_SECONDS[index] ?? 0) * 1_000;
    return Math.abs(delayMs - dueMs) <= TOLERANCE * dueMs + RESOLUTION_MS
      ? undefined
      : `attempt ${index + 2} of ${eventId} came after ${delayMs / 1_000} s instead of ${dueMs / 1_000} s`;
  };
  const count = SCHEDULE_SECONDS.length + 1;
  return [
    ...attempts
      .slice(1)
      .map(issueOf)
      .filter((detail) => detail !== undefined)
      .map((detail) => ({ rule: 'attempts come on schedule, ±10 %', detail })),
    ...(attempts.length === count && status === 'failed'
      ? []
      : [
          {
            rule: `a delivery fails for good after ${count} attempts`,
            detail: `${eventId} is ${status} after ${attempts.length} attempts`,
          },
        ]),
  ];
};

/** Lets one event of each of several endpoints fail for good, while others succeed, so that no breaker opens. */
const checkAttempts = async (random: Random, print: (line: string) => void): Promise<BrokenRule[]> => {
  await using cleanUp = new AsyncDisposableStack();
  const failing = new Set<string>();
  const simulation = await startSimulation(cleanUp, random, (endpointId, eventId) => {
    if (!failing.has(eventId)) return 204;
    // Another event succeeds.
    void simulation.send(endpoints.find((endpoint) => endpoint.endpointId === endpointId)!);
    return 500;
  });
  const records: DeliveryRecord[] = [];
  const endpoints = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, index) => simulation.givenEndpoint(`store-${index}`)),
  );
  for (const endpoint of endpoints) failing.add(await simulation.send(endpoint));
  await simulation.runUntil(simulation.now() + 120 * HOUR_MS);
  for (const { endpointId } of endpoints) {
    const listed = await simulation.deliveries.listOf(endpointId);
    records.push(...listed.filter(({ eventId }) => failing.has(eventId)));
  }
  const attempts = records.reduce((sum, record) => sum + record.attempts.length, 0);
  print(`schedule: ${attempts} attempts of ${records.length} deliveries that always fail`);
  const left = await simulation.workLeft();
  return [
    ...records.flatMap(scheduleIssues),
    ...(records.length === ENDPOINTS && left === 0
      ? []
      : [{ rule: 'all work ends', detail: `${records.length} records, ${left} timers left` }]),
  ];
};

/** Checks the attempts while the breaker is open: each after a pause, one at a time. */
const probeIssues = (failedAtMs: readonly number[]): BrokenRule[] =>
  failedAtMs.slice(OPENS_AFTER).flatMap((atMs, index) => {
    const pauseMs = atMs - failedAtMs[index + OPENS_AFTER - 1]!;
    const dueMs = PROBE_MINUTES[Math.min(index, PROBE_MINUTES.length - 1)]! * MINUTE_MS;
    return pauseMs >= dueMs - RESOLUTION_MS && pauseMs <= dueMs + PROBE_LATE_MAX_MS
      ? []
      : [
          {
            rule: 'an open breaker lets one probe pass at a time',
            detail: `probe ${index + 1} came after ${pauseMs / 1_000} s instead of ${dueMs / 1_000} s`,
          },
        ];
  });

/** Lets an endpoint be down for hours with many deliveries. */
const checkBreaker = async (
  random: Random,
  count: number,
  print: (line: string) => void,
): Promise<BrokenRule[]> => {
  await using cleanUp = new AsyncDisposableStack();
  let upAtMs = Infinity;
  const simulation = await startSimulation(cleanUp, random, (_endpointId, _eventId, nowMs) =>
    nowMs < upAtMs ? 500 : 204,
  );
  upAtMs = simulation.now() + DOWN_HOURS * HOUR_MS;
  const endpoint = await simulation.givenEndpoint('store');
  for (let sent = 0; sent < count; sent += 1) await simulation.send(endpoint);
  await simulation.runUntil(simulation.now() + 120 * HOUR_MS);
  const failed = simulation.attempts.filter(({ status }) => status === 500);
  const perMinute = Map.groupBy(
    simulation.attempts.filter(({ status }) => status === 204),
    ({ atMs }) => Math.floor(atMs / MINUTE_MS),
  );
  const most = Math.max(0, ...[...perMinute.values()].map(({ length }) => length));
  const records = await simulation.deliveries.listOf(endpoint.endpointId, { limit: Infinity });
  const succeeded = records.filter(({ status }) => status === 'succeeded').length;
  const left = await simulation.workLeft();
  print(
    `breaker: ${count} deliveries while the endpoint is down for ${DOWN_HOURS} h, ${failed.length} failed attempts,` +
      ` ${succeeded} delivered afterwards, at most ${most} a minute`,
  );
  return [
    ...probeIssues(failed.map(({ atMs }) => atMs)),
    ...(succeeded === count && left === 0
      ? []
      : [{ rule: 'all work ends', detail: `${succeeded} of ${count} delivered, ${left} timers left` }]),
    // The probe that closes the breaker, and the deliveries that return after attempts of their own.
    ...(most <= DRAINED_PER_MINUTE_MAX + OPENS_AFTER + 1
      ? []
      : [{ rule: 'parked deliveries drain at 10 a second', detail: `${most} in a minute` }]),
  ];
};

type Check = (random: Random, isQuick: boolean, print: (line: string) => void) => Promise<BrokenRule[]>;

/** The long waits, on a simulated clock, by the names of {@link SCHEDULE_CHECKS}. */
export const CHECKS: Readonly<Record<ScheduleCheck, Check>> = {
  'schedule, ten attempts': (random, _isQuick, print) => checkAttempts(random, print),
  'schedule, open breaker': (random, isQuick, print) => checkBreaker(random, isQuick ? 100 : 1_500, print),
  'schedule, timers of carts': (random, isQuick, print) =>
    checkTimers(random, isQuick ? 2_000 : 100_000, print),
};
