import { setImmediate } from 'node:timers/promises';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../../infra/local-access/local-names.ts';
import { apiKeyId } from '../../../../lib/api-keys/api-key.ts';
import { createStoredAuthenticator } from '../../../../lib/api-keys/authenticator.ts';
import { createDocumentClient } from '../../../../lib/aws/clients.ts';
import { countRequests } from '../../../support/database/client-calls.ts';
import { serve } from '../support/worker.ts';

export interface Sampling {
  readonly keys: readonly string[];
  readonly callers: number;
  readonly durationMs: number;
  /** Whether all callers empty the bucket first, and decide on the empty bucket then. */
  readonly isDrained: boolean;
}

export interface Tally {
  /** All tokens decided, also before the measurement. */
  readonly admitted: number;
  /** The measured decisions, and their calls. */
  readonly decisions: number;
  readonly calls: number;
}

/** After this number of decisions, other work of the process gets its turn, as between requests. */
const DECISIONS_PER_TURN = 64;

const documents = createDocumentClient(localClientConfig(process.argv[2] ?? ''));
const callCount = countRequests(documents);

/** Takes a token of a key as the functions do: with a memory of empty buckets. Returns whether there was one. */
const createTake = () => {
  const authenticator = createStoredAuthenticator(documents, LOCAL_TABLE_NAMES.apiKeys);
  return async (secret: string): Promise<boolean> => {
    const keyId = apiKeyId(secret);
    const { outcome } =
      authenticator.recallRejection(keyId, Date.now()) ?? (await authenticator.authenticate(keyId, Date.now));
    if (outcome === 'unknown') throw new Error('The key is unknown');
    return outcome === 'authenticated';
  };
};

const sample = async ({ keys, callers, durationMs, isDrained }: Sampling): Promise<Tally> => {
  const take = createTake();
  let admitted = 0;
  let decided = 0;
  const decide = async (): Promise<boolean> => {
    decided += 1;
    const isAdmitted = await take(keys[decided % keys.length]!);
    if (isAdmitted) admitted += 1;
    if (decided % DECISIONS_PER_TURN === 0) await setImmediate();
    return isAdmitted;
  };
  const byAllCallers = (run: () => Promise<void>) => Promise.all(Array.from({ length: callers }, run));
  await byAllCallers(async () => {
    // Once at least: a new environment makes one extra call for a busy key.
    let mayHaveToken = await decide();
    while (mayHaveToken) mayHaveToken = isDrained && (await decide());
  });
  const started = { decided, calls: callCount(), atMs: performance.now() };
  await byAllCallers(async () => {
    while (performance.now() < started.atMs + durationMs) await decide();
  });
  return { admitted, decisions: decided - started.decided, calls: callCount() - started.calls };
};

serve(sample);
