import { beforeAll, expect, test, vi } from 'vitest';
import { apiKeyId } from '../../../../lib/api-keys/api-key.ts';
import { cartBody } from '../../../support/domain/cart-body.ts';
import { givenOperatedService, type OperatedService } from '../../../support/operators/deployed-stage.ts';
import { cartIdOf } from '../../../support/service/http-client.ts';

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

const OVERLAP = '4s';

/** How long the load continues after the last event. */
const AFTERWARDS_MS = 300;

/** The duration of a request or a command, in milliseconds of the clock. */
interface Span {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface SentRequest extends Span {
  readonly apiKey: string;
  readonly status: number;
}

let stage: OperatedService;
let productId: string;
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

const givenKeyInUse = async (limits: typeof AMPLE): Promise<string> => {
  const apiKey = await stage.givenKey(limits);
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
      isPost ? stage.createCart(cartBody(productId), { apiKey }) : stage.getCart(cartId, { apiKey }),
    );
    requests.push({ apiKey, status, startedAtMs, endedAtMs });
  };
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (!isOver()) await sendOne();
    }),
  );
};

/** Waits until ten requests of a key had a status. */
const untilSeen = (apiKey: string, status: number): Promise<unknown> =>
  vi.waitUntil(
    () => requests.filter((request) => request.apiKey === apiKey && request.status === status).length >= 10,
    { timeout: 60_000, interval: 1 },
  );

/** Rotates one key, revokes two and changes the limits of a fourth, all at once. */
const operateKeys = async (old: string, revoked: string, emptied: string, limited: string) => {
  const setLimit = ({ limit, windowSeconds }: typeof AMPLE) =>
    keys('set-limit', apiKeyId(limited), '--limit', String(limit), '--window', String(windowSeconds));
  const [rotation, revocation, revocationOfEmptied, [lowering, raising]] = await Promise.all([
    keys('rotate', apiKeyId(old), '--overlap', OVERLAP).then((ended) => {
      keysInUse.push(ended.json['apiKey'] ?? '');
      return ended;
    }),
    keys('revoke', apiKeyId(revoked)),
    keys('revoke', apiKeyId(emptied)),
    setLimit(SMALL).then(async (lowered) => {
      await untilSeen(limited, 429);
      return [lowered, await setLimit(AMPLE)] as const;
    }),
  ]);
  const oldEndsAtMs = Date.parse(rotation.json['oldKeyEndsAt'] ?? '');
  return { rotation, oldEndsAtMs, revocation, revocationOfEmptied, lowering, raising };
};

/**
 * When the service has forgotten each denial that it saw before a command ended. The requests that a command overtakes can
 * still be denied after its end, and be remembered from then on.
 */
const forgottenAtMs = (apiKey: string, command: Span): number => {
  const overtaken = requests.filter(
    (request) => request.apiKey === apiKey && request.startedAtMs <= command.endedAtMs,
  );
  return DENIAL_MEMORY_MS + Math.max(command.endedAtMs, ...overtaken.map(({ endedAtMs }) => endedAtMs));
};

/** Runs the load and the commands. The tests check the records. */
const runAll = async () => {
  stage = await givenOperatedService();
  productId = await stage.givenProduct();
  const kept = await givenKeyInUse(AMPLE);
  const old = await givenKeyInUse(AMPLE);
  const revoked = await givenKeyInUse(AMPLE);
  const limited = await givenKeyInUse(AMPLE);
  const emptied = await givenKeyInUse({ limit: 1, windowSeconds: 86_400 });
  const cartId = cartIdOf(await stage.createCart(cartBody(productId), { apiKey: emptied }));

  let endsAtMs = (): number => Infinity;
  const isOver = () => requests.length >= REQUESTS_MIN && stage.clock.now() > endsAtMs();
  const underLoad = load(cartId, isOver);
  const operations = untilSeen(limited, 201).then(() => operateKeys(old, revoked, emptied, limited));
  // The load ends even if a command fails.
  endsAtMs = await operations.then(
    ({ oldEndsAtMs, revocationOfEmptied, raising }) =>
      () =>
        AFTERWARDS_MS +
        Math.max(oldEndsAtMs, forgottenAtMs(emptied, revocationOfEmptied), forgottenAtMs(limited, raising)),
    () => () => 0,
  );
  await underLoad;
  return { kept, old, revoked, limited, emptied, ...(await operations) };
};

let seen: Awaited<ReturnType<typeof runAll>>;

beforeAll(async () => {
  seen = await runAll();
  return stage.close;
});

/** The requests of a key that lie between two moments. Expects that there are some. */
const expectRequests = (apiKey: string, fromMs = 0, toMs = Infinity): readonly SentRequest[] => {
  const found = requests.filter(
    (request) => request.apiKey === apiKey && request.startedAtMs >= fromMs && request.endedAtMs <= toMs,
  );
  expect(found).not.toHaveLength(0);
  return found;
};

/** Expects that every request of a key between two moments had one of these statuses. */
const expectOnly = (statuses: readonly number[], apiKey: string, fromMs?: number, toMs?: number): void => {
  const others = expectRequests(apiKey, fromMs, toMs).filter(({ status }) => !statuses.includes(status));
  expect(others).toEqual([]);
};

const ADMITTED = [200, 201];

test('each of over 500 requests is admitted or gets 401 or 429', () => {
  expect(requests.length).toBeGreaterThanOrEqual(REQUESTS_MIN);
  for (const apiKey of keysInUse) expectOnly([...ADMITTED, 401, 429], apiKey);
});

test('a key that no command touches is always admitted', () => {
  expectOnly(ADMITTED, seen.kept);
});

test('a rotated key is admitted until the millisecond of its printed end, and the new one from the start', () => {
  const { old, oldEndsAtMs, rotation } = seen;
  expectOnly(ADMITTED, old, 0, oldEndsAtMs - 1);
  expectOnly(ADMITTED, old, rotation.endedAtMs, oldEndsAtMs - 1);
  expectOnly([401], old, oldEndsAtMs);
  expectOnly(ADMITTED, rotation.json['apiKey'] ?? '', rotation.endedAtMs);
});

test('a revoked key is admitted until the command starts, and never once it has ended', () => {
  const { revoked, revocation } = seen;
  expectOnly(ADMITTED, revoked, 0, revocation.startedAtMs);
  expectOnly([...ADMITTED, 401], revoked);
  expectOnly([401], revoked, revocation.endedAtMs);
});

test('a revoked key with an empty bucket is never admitted, and 401 within a second', () => {
  const { emptied, revocationOfEmptied } = seen;
  expectOnly([401, 429], emptied);
  expectOnly([401], emptied, forgottenAtMs(emptied, revocationOfEmptied));
});

test('a lowered limit admits at most that many requests, and a raised one all of them', () => {
  const { limited, lowering, raising } = seen;
  const isAdmitted = ({ status }: SentRequest): boolean => ADMITTED.includes(status);
  expectOnly([...ADMITTED, 429], limited);
  const afterLowering = expectRequests(limited, lowering.endedAtMs + 1, raising.startedAtMs);
  expect(afterLowering.filter(isAdmitted).length).toBeLessThanOrEqual(SMALL.limit);
  // Used tokens stay used. Requests during the command count here too, also those under way when it starts.
  const sinceLowering = expectRequests(limited, 0, raising.startedAtMs).filter(
    ({ endedAtMs }) => endedAtMs >= lowering.startedAtMs,
  );
  expect(sinceLowering.filter(isAdmitted).length).toBeGreaterThanOrEqual(SMALL.limit - 1);
  expectOnly(ADMITTED, limited, forgottenAtMs(limited, raising));
});
