import { describe, expect, it } from 'vitest';
import type { AttemptResult } from '../../../lib/deliveries/records/attempt.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { overlapFirstTransaction } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { newEndpoint, endpointChangesOf } from '../../support/domain/endpoints.ts';
import { eventsOf } from '../../support/domain/event-logs.ts';
import { logged } from '../../support/logs/log-lines.ts';
import { createDatabaseRepositories } from './support/database-repositories.ts';
import { createTurns, exploreAll } from './support/interleavings.ts';
import { givenRacingEndpoint, type RacingEndpoint } from './support/racing-endpoint.ts';

const database = await givenDatabase(['events', 'webhookEndpoints', 'secrets', 'deliveries']);
const clock = manualClock();
// Each call takes a millisecond.
const turns = createTurns(database.documents, () => clock.advance(0.001));
const endpointChanges = endpointChangesOf(database, clock.now);

const GONE: Partial<AttemptResult> = { status: 410 };

/** An endpoint that returns 410 to two requests. */
const givenGone = () => givenRacingEndpoint(database, { turns, clock, results: [GONE, GONE] });

describe('in each order of their calls,', () => {
  it('two attempts that end with 410 at the same time disable the endpoint with one event', async () => {
    const requests = new Set<number>();
    await exploreAll(async (choose) => {
      const given = await givenGone();
      await given.stores.endpoints.setState({ failures: 0, isQuick: true });
      const messages = [given.messageOf(), given.messageOf()];
      await turns.run(choose, ...messages.map((message) => () => given.handle(message, 'quick')));
      await given.handleAll();
      requests.add(given.sent.length);
      expect(await given.stores.reported()).toHaveLength(1);
    });
    expect(requests).toStrictEqual(new Set([1, 2]));
  });

  it('the last event of an endpoint that is enabled and returns 410 shows its state', async () => {
    const states = new Set<boolean>();
    await exploreAll(async (choose) => {
      const given = await givenGone();
      const { endpoint } = given;
      const message = given.messageOf();
      await turns.run(
        choose,
        () => given.handle(message),
        () => endpointChanges.update(endpoint, { disabled: null }),
      );
      const isEnabled = !(await given.stores.endpoints.find(endpoint))?.disabled;
      states.add(isEnabled);
      expect((await eventsOf(database, endpoint)).at(-1)).toMatchObject({ data: { enabled: isEnabled } });
    });
    expect(states).toStrictEqual(new Set([true, false]));
  });

  it('an endpoint that is removed and returns 410 has no event after that of its deletion', async () => {
    const types = new Set<string>();
    await exploreAll(async (choose) => {
      const given = await givenGone();
      const { endpoint } = given;
      const message = given.messageOf();
      await turns.run(
        choose,
        () => given.handle(message),
        () => endpointChanges.remove(endpoint),
      );
      const events = (await eventsOf(database, endpoint)).map(({ type }): string => type);
      types.add(events.join());
      expect(events.at(-1)).toBe('webhook_endpoint.deleted');
    });
    expect(types).toContain('webhook_endpoint.disabled,webhook_endpoint.deleted');
  });
});

/** An attempt that ends with 410, and the step that repeats it if its process ends. */
const ATTEMPTS: Readonly<Record<string, (given: RacingEndpoint) => Promise<readonly (() => unknown)[]>>> = {
  'a delivery': async ({ messageOf, handle }) => {
    const message = messageOf();
    // The queue returns it.
    return [() => handle(message), () => handle(message)];
  },
  'a parked delivery': async ({ park, drain, runProbes, handleAll }) => {
    await park(1);
    return [drain, () => runProbes().then(handleAll)];
  },
};

it.each(Object.entries(ATTEMPTS))(
  'a process that ends after any number of calls of %s with 410 leaves one event of the disabling',
  async (_, begin) => {
    let deaths = 0;
    for (let isDead = true; isDead; deaths += 1) {
      const given = await givenGone();
      const [attempt, again] = await begin(given);
      isDead = await turns.runFor(deaths, async () => attempt!());
      clock.advance(60);
      await again!();
      expect(await given.stores.reported()).toHaveLength(1);
      expect((await given.stores.endpoints.find(given.endpoint))?.disabled).toStrictEqual({
        atMs: expect.any(Number),
        reason: 'gone',
      });
    }
    expect(deaths).toBeGreaterThan(5);
  },
);

it('an endpoint whose disabling the SDK reports twice, because the first attempt still runs, has one event', async () => {
  const documents = database.newClient();
  overlapFirstTransaction(documents);
  const endpoint = newEndpoint({ disabled: { atMs: NOW_MS, reason: 'gone', isUnreported: true } });
  const stores = await createDatabaseRepositories({ ...database, documents }, endpoint, clock.now);
  const report = () => logged(async () => stores.reportDisabled(await stores.endpoints.find(endpoint)));

  await expect(report()).rejects.toMatchObject({ name: 'TransactionInProgressException' });
  // The next message of the endpoint reports it.
  await report();

  expect(await stores.reported()).toHaveLength(1);
});
