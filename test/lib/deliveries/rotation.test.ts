import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { UnavailableError } from '../../../lib/aws/errors.ts';
import { deliverBatch } from '../../../lib/deliveries/deliver-batch.ts';
import { createDeliverDependencies } from '../../../lib/deliveries/deliver-dependencies.ts';
import { deliveryMessageOf } from '../../../lib/deliveries/queue/queue-message.ts';
import type { WebhookRequest } from '../../../lib/deliveries/sending/send.ts';
import { signedHeaders } from '../../../lib/deliveries/sending/signature.ts';
import { generateEndpointId, type WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { manualClock, NOW_MS } from '../../support/clock.ts';
import { aroundCalls } from '../../support/database/client-calls.ts';
import { givenDatabase } from '../../support/database/database.ts';
import { newEndpoint, endpointChangesOf, storeEndpoint } from '../../support/domain/endpoints.ts';
import { createTurns, exploreAll } from './support/interleavings.ts';

const HOUR_MS = 3_600_000;
const EVENT = { id: 'evt_1', type: 'cart.completed', body: '{}' };

const database = await givenDatabase(['events', 'webhookEndpoints', 'secrets', 'deliveries']);
const { tableNames } = database;
const clock = manualClock();
const { now } = clock;
const turns = createTurns(database.documents, () => undefined);
const secrets = createSecretRepository(database.documents, tableNames.secrets);

/** An endpoint with its first secret, and what tests do with it. */
const givenEndpoint = async () => {
  const endpoint = newEndpoint();
  const secret = await storeEndpoint(database, endpoint);
  return {
    endpoint,
    secret,
    stored: async () => (await secrets.find(endpoint.endpointId))?.secret ?? '',
    async rotate(overlapMs: number): Promise<string> {
      const rotated = await endpointChangesOf(database, now).rotateSecret(endpoint, overlapMs);
      if (rotated === undefined) throw new Error('The rotation was rejected');
      return rotated.secret;
    },
  };
};

/** A process of the function, with a memory of its own. Returns what makes an attempt and returns its request, if any. */
const givenProcess = (endpoint: WebhookEndpoint) => {
  const sent: WebhookRequest[] = [];
  const tables = {
    webhookEndpointsTable: tableNames.webhookEndpoints,
    secretsTable: tableNames.secrets,
    deliveriesTable: tableNames.deliveries,
    eventsTable: tableNames.events,
  };
  const service = createDeliverDependencies(database.documents, tables, {
    queue: { send: async () => undefined },
    async send(request) {
      sent.push(request);
      return { status: 200, ms: 1 };
    },
    now,
  });
  return async (): Promise<WebhookRequest | undefined> => {
    const event = { ...EVENT, recordedAtMs: NOW_MS, sequence: 1 };
    const messages = [deliveryMessageOf(endpoint, event)];
    const results = await deliverBatch(
      messages,
      { ...service, findEvent: async () => event },
      { lane: 'slow', mayStart: () => true },
    );
    expect([...results.values()]).toStrictEqual([sent.length > 0 ? 'succeeded' : 'unknown']);
    return sent.pop();
  };
};

/** The header of a request that these secrets sign now. */
const signatureBy = (...signers: readonly string[]): string =>
  signers
    .map((secret) => signedHeaders(EVENT.id, EVENT.body, { secret }, now())['webhook-signature'])
    .join(' ');

const signatureOf = (request: WebhookRequest | undefined): string | undefined =>
  request?.headers['webhook-signature'];

/** A rotation whose process dies at a call: before the call, or after its effect. Returns whether it made the call. */
const dieInRotation = async (endpoint: WebhookEndpoint, call: number, isSent: boolean): Promise<boolean> => {
  const documents = database.newClient();
  let calls = 0;
  aroundCalls(documents, async ({ input }, next) => {
    calls += 1;
    if (calls < call) return next(input);
    if (calls === call && isSent) await next(input);
    throw new UnavailableError('The process has ended');
  });
  const endpointChanges = endpointChangesOf({ documents, tableNames }, now);
  await endpointChanges.rotateSecret(endpoint, HOUR_MS).catch(() => undefined);
  return calls >= call;
};

describe('a rotation', () => {
  it('returns the stored end of the secret before it, though time goes on', async () => {
    const { endpoint } = await givenEndpoint();
    let nowMs = now();
    const rotated = await endpointChangesOf(database, () => (nowMs += 1)).rotateSecret(endpoint, HOUR_MS);

    const { previous } = (await secrets.find(endpoint.endpointId))!;
    expect(rotated?.previousEndsAtMs).toBe(previous?.untilMs);
  });

  it('holds in every process: the secret before it signs until the overlap ends, and no older one', async () => {
    const { endpoint, secret: old, rotate } = await givenEndpoint();
    const attempt = givenProcess(endpoint);
    const expectSignature = async (...signers: readonly string[]): Promise<void> => {
      for (const each of [attempt, givenProcess(endpoint)])
        expect(signatureOf(await each())).toBe(signatureBy(...signers));
    };
    await expectSignature(old);
    const second = await rotate(HOUR_MS);
    await expectSignature(second, old);
    const third = await rotate(2 * HOUR_MS);
    await expectSignature(third, second);
    clock.advance(2 * 3_600);
    await expectSignature(third);
  });

  it('whose process dies at any call leaves every process with the secrets that are stored', async () => {
    const outcomes = new Set<string>();
    let isDead = true;
    for (let call = 1; isDead; call += 1) {
      for (const isSent of [false, true]) {
        const { endpoint, secret: old, stored } = await givenEndpoint();
        const attempt = givenProcess(endpoint);
        await attempt();
        isDead = await dieInRotation(endpoint, call, isSent);
        const secret = await stored();
        const signature = secret === old ? signatureBy(old) : signatureBy(secret, old);
        for (const each of [attempt, givenProcess(endpoint)])
          expect(signatureOf(await each())).toBe(signature);
        outcomes.add(secret === old ? 'old' : 'new');
      }
    }
    expect(outcomes).toStrictEqual(new Set(['old', 'new']));
  });

  it.each([
    ['knows', true],
    ['does not know', false],
  ])(
    'during an attempt of a process that %s the secret leaves it one state, in any order of their calls',
    async (_, knows) => {
      const seen = new Set<string>();
      const orders = await exploreAll(async (choose) => {
        const { endpoint, secret: old, rotate, stored } = await givenEndpoint();
        const attempt = givenProcess(endpoint);
        if (knows) await attempt();
        let request: WebhookRequest | undefined;
        await turns.run(
          choose,
          async () => (request = await attempt()),
          () => rotate(HOUR_MS),
        );
        const both = signatureBy(await stored(), old);
        expect([signatureBy(old), both]).toContain(signatureOf(request));
        seen.add(signatureOf(request) === both ? 'new' : 'old');
        expect(signatureOf(await attempt())).toBe(both);
      });
      expect(orders).toBeGreaterThan(2);
      expect(seen).toStrictEqual(new Set(['old', 'new']));
    },
  );

  it('without an overlap ends the old secret at once, also by an operator whose clock is ahead', async () => {
    const { endpoint, secret: old } = await givenEndpoint();
    const attempt = givenProcess(endpoint);
    await attempt();
    const ahead = endpointChangesOf(database, () => now() + HOUR_MS);
    const { secret } = (await ahead.rotateSecret(endpoint, 0))!;
    expect(signatureOf(await attempt())).toBe(signatureBy(secret));
    expect(JSON.stringify(await secrets.find(endpoint.endpointId))).not.toContain(old);
  });

  it('at the same time as another one does not lose the secret that the merchant has', async () => {
    await exploreAll(async (choose) => {
      const { endpoint, secret: old } = await givenEndpoint();
      const results: (string | undefined)[] = [];
      const rotate = async () =>
        void results.push((await endpointChangesOf(database, now).rotateSecret(endpoint, HOUR_MS))?.secret);
      await turns.run(choose, rotate, rotate);
      const { secret, previous } = (await secrets.find(endpoint.endpointId))!;
      const [first, second] = results;
      // One of them found the other's secret, and rotated that one, or it was rejected.
      expect(secret).toBe(second ?? first);
      expect(previous?.secret).toBe(second === undefined ? old : first);
    });
  });

  it('waits for the deliveries that write the endpoint, and throws if they always come first', async () => {
    const { endpoint, secret: old, stored } = await givenEndpoint();
    const documents = database.newClient();
    let conflicts = 2;
    aroundCalls(documents, async ({ operation, input }, next) => {
      if (operation !== 'TransactWriteItems' || conflicts === 0) return next(input);
      conflicts -= 1;
      const CancellationReasons = [{ Code: 'None' }, { Code: 'TransactionConflict' }];
      throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
    });
    const busy = endpointChangesOf({ documents, tableNames }, now);
    const { secret } = (await busy.rotateSecret(endpoint, 0))!;
    expect(secret).toBe(await stored());
    expect(secret).not.toBe(old);
    conflicts = Infinity;
    const signal = AbortSignal.timeout(100);
    await expect(busy.rotateSecret(endpoint, 0, { signal })).rejects.toThrow(signal.reason as Error);
    expect(await stored()).toBe(secret);
  });
});

describe('an endpoint', () => {
  it('that was removed gets nothing from a process that remembers its secret', async () => {
    const { endpoint } = await givenEndpoint();
    const attempt = givenProcess(endpoint);
    expect(await attempt()).toBeDefined();
    await endpointChangesOf(database, now).remove(endpoint);
    expect(await attempt()).toBeUndefined();
    expect(await endpointChangesOf(database, now).rotateSecret(endpoint, 0)).toBeUndefined();
  });

  it('gets its first delivery signed, and none before it exists', async () => {
    const { endpoint: other } = await givenEndpoint();
    const endpoint = { ...other, endpointId: generateEndpointId() };
    const attempt = givenProcess(endpoint);
    expect(await attempt()).toBeUndefined();
    const secret = await storeEndpoint(database, endpoint);
    expect(signatureOf(await attempt())).toBe(signatureBy(secret));
  });
});
