import { beforeAll, expect, test, vi } from 'vitest';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { givenOperatedService, type OperatedService } from '../../support/operate.ts';

const REQUESTS_MIN = 500;
const CONCURRENCY = 8;

/** Each request moves the clock of the service and the commands, so that the load is 100 requests a second. */
const SECONDS_PER_REQUEST = 0.01;

/** More than the load uses. */
const AMPLE = { limit: 60_000, windowSeconds: 60 };
/** Less than the load uses, without a refill during the load. */
const SMALL = { limit: 10, windowSeconds: 86_400 };

/** How long the service remembers that a bucket was empty: `lib/api-keys/key-memory.ts`. */
const DENIAL_MEMORY_MS = 1_000;

/** How long the load continues after the last event. */
const AFTERWARDS_MS = 300;

/** A request or a command, between two moments of the clock. */
interface Span {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface SentRequest extends Span {
  readonly apiKey: string;
  readonly status: number;
}

let stage: OperatedService;
const requests: SentRequest[] = [];

/** The keys that the load uses, in turn. */
const keysInUse: string[] = [];

const timed = async <Result extends object>(work: () => Promise<Result>): Promise<Result & Span> => {
  const startedAtMs = stage.clock.now();
  const result = await work();
  return { ...result, startedAtMs, endedAtMs: stage.clock.now() };
};

/** Runs a command of keys during the load. */
const keys = (...args: readonly string[]) =>
  timed(async () => ({ json: await stage.runJson('keys', ...args) }));

const givenKeyInUse = async (): Promise<string> => {
  const apiKey = await stage.givenKey(AMPLE);
  keysInUse.push(apiKey);
  return apiKey;
};

/** Keeps {@link CONCURRENCY} requests under way, half of them POST and half GET. */
const load = async (cartId: string, isOver: () => boolean): Promise<void> => {
  let count = 0;
  const sendOne = async (): Promise<void> => {
    const apiKey = keysInUse[count % keysInUse.length] ?? '';
    const isPost = Math.floor(count / keysInUse.length) % 2 === 0;
    count += 1;
    stage.clock.advance(SECONDS_PER_REQUEST);
    const { status, startedAtMs, endedAtMs } = await timed(() =>
      isPost ? stage.order(apiKey) : stage.getCart(cartId, { apiKey }),
    );
    requests.push({ apiKey, status, startedAtMs, endedAtMs });
  };
  const send = async (): Promise<void> => {
    while (!isOver()) await sendOne();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, send));
};

/** Waits until ten requests of a key had a status. */
const untilSeen = (apiKey: string, status: number): Promise<unknown> =>
  vi.waitUntil(
    () => requests.filter((request) => request.apiKey === apiKey && request.status === status).length >= 10,
    { timeout: 10_000, interval: 1 },
  );

/** Rotates one key, revokes another and changes the limits of a third, all at once. */
const operateKeys = async (old: string, revoked: string, limited: string) => {
  const setLimit = ({ limit, windowSeconds }: typeof AMPLE) =>
    keys('set-limit', apiKeyId(limited), '--limit', String(limit), '--window', String(windowSeconds));
  const [rotation, revocation, [lowering, raising]] = await Promise.all([
    keys('rotate', apiKeyId(old), '--overlap', '4s').then((ended) => {
      keysInUse.push(ended.json['apiKey'] ?? '');
      return ended;
    }),
    keys('revoke', apiKeyId(revoked)),
    setLimit(SMALL).then(async (lowered) => {
      await untilSeen(limited, 429);
      return [lowered, await setLimit(AMPLE)] as const;
    }),
  ]);
  const oldEndsAtMs = Date.parse(rotation.json['oldKeyEndsAt'] ?? '');
  return { rotation, oldEndsAtMs, revocation, lowering, raising };
};

/** Runs the load and the commands. The tests check the records. */
const runAll = async () => {
  stage = await givenOperatedService();
  const kept = await givenKeyInUse();
  const old = await givenKeyInUse();
  const revoked = await givenKeyInUse();
  const limited = await givenKeyInUse();
  const cartId = cartIdOf(await stage.order(kept));

  let endsAtMs = Infinity;
  const underLoad = load(cartId, () => requests.length >= REQUESTS_MIN && stage.clock.now() > endsAtMs);
  const operations = untilSeen(limited, 201).then(() => operateKeys(old, revoked, limited));
  // The load ends even if a command fails.
  endsAtMs = await operations.then(
    ({ oldEndsAtMs, raising }) => AFTERWARDS_MS + Math.max(oldEndsAtMs, raising.endedAtMs + DENIAL_MEMORY_MS),
    () => 0,
  );
  await underLoad;
  return { kept, old, revoked, limited, ...(await operations) };
};

let seen: Awaited<ReturnType<typeof runAll>>;

beforeAll(async () => {
  seen = await runAll();
  return stage.close;
});

/** The statuses of the requests of a key between two moments. Expects that there are some. */
const statusesOf = (apiKey: string, fromMs = 0, toMs = Infinity): readonly number[] => {
  const found = requests.filter(
    (request) => request.apiKey === apiKey && request.startedAtMs >= fromMs && request.endedAtMs <= toMs,
  );
  expect(found).not.toHaveLength(0);
  return found.map(({ status }) => status);
};

const ADMITTED = [200, 201];

/** Expects that every request of a key between two moments had one of these statuses. */
const expectOnly = (statuses: readonly number[], apiKey: string, fromMs?: number, toMs?: number): void => {
  expect(statusesOf(apiKey, fromMs, toMs).filter((status) => !statuses.includes(status))).toEqual([]);
};

test('a key that no command touches is always admitted', () => {
  expect(requests.length).toBeGreaterThanOrEqual(REQUESTS_MIN);
  expectOnly(ADMITTED, seen.kept);
});

test('a rotated key is admitted until the millisecond of its printed end, and the new one from the start', () => {
  const { old, oldEndsAtMs, rotation } = seen;
  expectOnly(ADMITTED, old, 0, oldEndsAtMs - 1);
  expectOnly([...ADMITTED, 401], old);
  expectOnly([401], old, oldEndsAtMs);
  expectOnly(ADMITTED, rotation.json['apiKey'] ?? '', rotation.endedAtMs);
});

test('a revoked key is admitted until the command starts, and never once it has ended', () => {
  const { revoked, revocation } = seen;
  expectOnly(ADMITTED, revoked, 0, revocation.startedAtMs);
  expectOnly([...ADMITTED, 401], revoked);
  expectOnly([401], revoked, revocation.endedAtMs);
});

test('a lowered limit admits at most that many requests, and a raised one all of them', () => {
  const { limited, lowering, raising } = seen;
  const countAdmitted = (fromMs: number): number =>
    statusesOf(limited, fromMs, raising.startedAtMs).filter((status) => ADMITTED.includes(status)).length;
  expectOnly([...ADMITTED, 429], limited);
  expect(countAdmitted(lowering.endedAtMs + 1)).toBeLessThanOrEqual(SMALL.limit);
  // Used tokens stay used. Requests during the command count here too.
  expect(countAdmitted(lowering.startedAtMs)).toBeGreaterThanOrEqual(SMALL.limit - 1);
  expectOnly(ADMITTED, limited, raising.endedAtMs + DENIAL_MEMORY_MS);
});
