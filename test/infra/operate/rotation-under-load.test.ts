import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiKeyId } from '../../../lib/api-keys/api-key.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { operate, stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, type TestStage } from '../../support/stage.ts';

const REQUESTS_MIN = 1_000;
const CONCURRENCY = 8;

/** More than the load takes. */
const AMPLE = { limit: 60_000, windowSeconds: 60 };
/** Less than it takes, and nothing comes back while it lasts. */
const SMALL = { limit: 10, windowSeconds: 86_400 };
/** A raised limit leaves an empty bucket empty: tokens come back faster than the load takes them. */
const RAISED = { limit: 60_000, windowSeconds: 60 };

/** How long a stage may remember that a bucket was empty: `lib/api-keys/key-memory.ts`. */
const DENIAL_MEMORY_MS = 1_000;

const OVERLAP = '4s';

/** How long the load goes on after the last moment that a test is about. */
const AFTERWARDS_MS = 300;

/** From before a request or command to after it: milliseconds of the clock that the stage reads too. */
interface Span {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

interface Request extends Span {
  readonly apiKey: string;
  readonly status: number;
}

let stage: TestStage;
const requests: Request[] = [];

/** The keys that the load uses, in turn. */
const keysInUse: string[] = [];

const timed = async <Result>(work: () => Promise<Result>): Promise<Result & Span> => {
  const startedAtMs = Date.now();
  const result = await work();
  return { ...result, startedAtMs, endedAtMs: Date.now() };
};

/** Runs a command of keys to its end, as an operator would in another terminal. */
const keys = async (
  ...args: readonly string[]
): Promise<Span & { readonly json: Record<string, string> }> => {
  const ended = await timed(() => operate('keys', ...args, '--json', '--dynamodb', stage.dynamodbEndpoint));
  expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
  return { ...ended, json: JSON.parse(ended.stdout) as Record<string, string> };
};

const givenKeyInUse = async (limits: typeof AMPLE): Promise<string> => {
  const apiKey = await stage.givenKey(limits);
  keysInUse.push(apiKey);
  return apiKey;
};

/** Keeps {@link CONCURRENCY} requests under way, half of them POST and half GET, until it is told to stop. */
const load = async (cartId: string, isOver: () => boolean): Promise<void> => {
  let count = 0;
  const sendOne = async (): Promise<void> => {
    const apiKey = keysInUse[count % keysInUse.length] ?? '';
    const isPost = Math.floor(count / keysInUse.length) % 2 === 0;
    count += 1;
    const { status, startedAtMs, endedAtMs } = await timed(() =>
      isPost ? stage.createCart(cartBody(stage.productId), { apiKey }) : stage.getCart(cartId, { apiKey }),
    );
    requests.push({ apiKey, status, startedAtMs, endedAtMs });
  };
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (!isOver()) await sendOne();
    }),
  );
};

const isAdmitted = ({ status }: Request): boolean => status === 200 || status === 201;

/** Waits until so many requests of a key were answered with a status. */
const untilSeen = (apiKey: string, status: number, count: number): Promise<unknown> =>
  vi.waitUntil(
    () =>
      requests.filter((request) => request.apiKey === apiKey && request.status === status).length >= count,
    { timeout: 10_000 },
  );

/** Rotates one key, revokes two and sets the limits of a fourth, all at once. */
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
      await untilSeen(limited, 429, 10);
      return [lowered, await setLimit(RAISED)] as const;
    }),
  ]);
  const oldEndsAtMs = Date.parse(rotation.json['oldKeyEndsAt'] ?? '');
  return { rotation, oldEndsAtMs, revocation, revocationOfEmptied, lowering, raising };
};

/** All that happens; the tests below look at it. */
const happen = async () => {
  stage = await givenStage();
  const kept = await givenKeyInUse(AMPLE);
  const old = await givenKeyInUse(AMPLE);
  const revoked = await givenKeyInUse(AMPLE);
  const limited = await givenKeyInUse(AMPLE);
  const emptied = await givenKeyInUse({ limit: 1, windowSeconds: 86_400 });
  const cartId = cartIdOf(await stage.createCart(cartBody(stage.productId), { apiKey: emptied }));

  let endsAtMs = Infinity;
  const underLoad = load(cartId, () => requests.length >= REQUESTS_MIN && Date.now() > endsAtMs);
  const operations = untilSeen(limited, 201, 10).then(() => operateKeys(old, revoked, emptied, limited));
  const rememberedAtMs = operations.then(({ revocationOfEmptied, raising }) => {
    return Math.max(revocationOfEmptied.endedAtMs, raising.endedAtMs) + DENIAL_MEMORY_MS;
  });
  // Whatever fails, the load ends.
  endsAtMs = await Promise.all([operations, rememberedAtMs]).then(
    ([{ oldEndsAtMs }, forgottenAtMs]) => Math.max(oldEndsAtMs, forgottenAtMs) + AFTERWARDS_MS,
    () => 0,
  );
  await underLoad;
  return { kept, old, revoked, limited, emptied, ...(await operations) };
};

let seen: Awaited<ReturnType<typeof happen>>;

beforeAll(async () => {
  seen = await happen();
});

afterAll(stopProcesses);

/** The requests of a key that lay wholly between two moments; expects that there were some. */
const expectRequests = (apiKey: string, fromMs = 0, toMs = Infinity): readonly Request[] => {
  const found = requests.filter(
    (request) => request.apiKey === apiKey && request.startedAtMs >= fromMs && request.endedAtMs <= toMs,
  );
  expect(found).not.toHaveLength(0);
  return found;
};

/** Expects that every request of a key between two moments was answered with one of these statuses. */
const expectOnly = (statuses: readonly number[], apiKey: string, fromMs?: number, toMs?: number): void => {
  const others = expectRequests(apiKey, fromMs, toMs).filter(({ status }) => !statuses.includes(status));
  expect(others).toEqual([]);
};

const ADMITTED = [200, 201];

test('of a thousand requests and more, none is answered but by admission, 401 or 429', () => {
  expect(requests.length).toBeGreaterThanOrEqual(REQUESTS_MIN);
  for (const apiKey of keysInUse) expectOnly([...ADMITTED, 401, 429], apiKey);
});

test('a key that nobody touches is admitted throughout', () => {
  expectOnly(ADMITTED, seen.kept);
});

test('a rotated key is admitted until its printed end, not a millisecond longer; the new one from the start', () => {
  const { old, oldEndsAtMs, rotation } = seen;
  expectOnly(ADMITTED, old, 0, oldEndsAtMs - 1);
  expectOnly(ADMITTED, old, rotation.endedAtMs, oldEndsAtMs - 1);
  expectOnly([401], old, oldEndsAtMs);
  expectOnly(ADMITTED, rotation.json['apiKey'] ?? '', rotation.endedAtMs);
});

test('a revoked key is admitted until the command starts, and never once it has ended', () => {
  const { revoked, revocation } = seen;
  expectOnly(ADMITTED, revoked, 0, revocation.startedAtMs + 1);
  expectOnly([...ADMITTED, 401], revoked);
  expectOnly([401], revoked, revocation.endedAtMs);
});

test('a revoked key whose bucket is empty is never admitted, and answered 401 within a second', () => {
  const { emptied, revocationOfEmptied } = seen;
  expectOnly([401, 429], emptied);
  expectOnly([401], emptied, revocationOfEmptied.endedAtMs + DENIAL_MEMORY_MS);
});

test('a lowered limit lets through what it says and no more, a raised one everything again', () => {
  const { limited, lowering, raising } = seen;
  expectOnly([...ADMITTED, 429], limited);
  const afterLowering = expectRequests(limited, lowering.endedAtMs, raising.startedAtMs);
  expect(afterLowering.filter(isAdmitted).length).toBeLessThanOrEqual(SMALL.limit);
  // Tokens taken just before stay taken; what the load took while the command started counts here too.
  const sinceLowering = expectRequests(limited, lowering.startedAtMs, raising.startedAtMs);
  expect(sinceLowering.filter(isAdmitted).length).toBeGreaterThanOrEqual(SMALL.limit - 1);
  expectOnly(ADMITTED, limited, raising.endedAtMs + DENIAL_MEMORY_MS);
});
