import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../lib/core/clock.ts';
import type { AttemptResult } from '../../../lib/deliveries/records/attempt.ts';
import type { Send } from '../../../lib/deliveries/sending/send.ts';
import { signedHeaders } from '../../../lib/deliveries/sending/signature.ts';
import { testBody } from '../../../lib/deliveries/test-events/test-body.ts';
import type { WebhookEndpoint } from '../../../lib/endpoints/endpoint.ts';
import type { SecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { generateSecret } from '../../../lib/endpoints/signing-secret.ts';
import { PING_TYPE } from '../../../lib/events/event-types.ts';
import { eventIdFrom } from '../../../lib/events/logged-event.ts';
import type { ProxyFunction } from '../../../lib/http/pipeline.ts';
import type { OperatorEndpointRepository } from '../../../lib/operators/operator-endpoint-repository.ts';
import { isBuiltIn } from '../demo/receiver.ts';
import type { Route } from '../gateway/router.ts';

const PATH = '/endpoint-checks';

/** The route that checks an endpoint. Only the local stage has it. */
export const CHECK_ROUTE = {
  method: 'POST',
  path: `${PATH}/{endpointId}`,
  functionName: 'endpoint-check',
  caller: 'stage',
} as const satisfies Route;

/** The path that checks an endpoint. */
export const checkPath = (endpointId: string): string => `${PATH}/${endpointId}`;

/** Beyond the five minutes that a receiver may allow. */
const OLD_MS = 600_000;

/** The requests of a check, in their order. */
export const TRIALS = {
  valid: 'A valid event',
  forged: 'A forged event, signed with another secret',
  old: 'A valid event of ten minutes ago',
} as const;

type TrialName = keyof typeof TRIALS;

/** A request of a check, and whether the endpoint responded as it must. */
export interface Trial extends AttemptResult {
  readonly name: TrialName;
  readonly isPassed: boolean;
}

interface CheckOptions {
  readonly send: Send;
  readonly now: Clock;
}

/**
 * Sends an endpoint a valid event, then a forged and an old one, which it must reject with a 4xx. Without a 2xx for the
 * valid one, a rejection would prove nothing: the check then ends.
 */
export const checkEndpoint = async (
  endpoint: Pick<WebhookEndpoint, 'url' | 'mode'>,
  secret: string,
  { send, now }: CheckOptions,
): Promise<readonly Trial[]> => {
  const trial = async (name: TrialName): Promise<Trial> => {
    const sentAtMs = now() - (name === 'old' ? OLD_MS : 0);
    const eventId = eventIdFrom(randomUUID());
    const body = testBody({ eventId, recordedAtMs: sentAtMs, type: PING_TYPE }, endpoint.mode);
    const signing = name === 'forged' ? generateSecret() : secret;
    const headers = signedHeaders(eventId, body, { secret: signing }, sentAtMs);
    const result = await send({ url: endpoint.url, headers, body });
    const hundreds = Math.floor((result.status ?? 0) / 100);
    return { ...result, name, isPassed: hundreds === (name === 'valid' ? 2 : 4) };
  };
  const valid = await trial('valid');
  return valid.isPassed ? [valid, await trial('forged'), await trial('old')] : [valid];
};

/** The results of the latest check of each endpoint, by its id, in this process. */
export type Checks = Map<string, readonly Trial[]>;

const FAILURES: Readonly<Record<TrialName, string>> = {
  valid: 'Your endpoint did not accept a valid event.',
  forged: 'Your endpoint did not reject a forged event.',
  old: 'Your endpoint did not reject an event of ten minutes ago.',
};

const reply = (statusCode: number, body: Readonly<Record<string, string>>) => ({
  statusCode,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

interface CheckDependencies extends CheckOptions {
  readonly endpoints: Pick<OperatorEndpointRepository, 'findById'>;
  readonly secrets: Pick<SecretRepository, 'find'>;
  readonly checks: Checks;
  /** An endpoint of the user passed its check. */
  readonly onPassed: (endpointId: string, atMs: number) => void;
}

/** Checks how an endpoint verifies signatures. */
export const createEndpointCheck =
  ({ endpoints, secrets, checks, onPassed, ...options }: CheckDependencies): ProxyFunction =>
  async ({ pathParameters }) => {
    const endpoint = await endpoints.findById(pathParameters?.['endpointId'] ?? '');
    const stored = endpoint && (await secrets.find(endpoint.endpointId));
    if (!stored) return reply(404, { message: 'There is no such endpoint.' });
    const trials = await checkEndpoint(endpoint, stored.secret, options);
    checks.set(endpoint.endpointId, trials);
    const failed = trials.find(({ isPassed }) => !isPassed);
    if (failed) return reply(422, { message: FAILURES[failed.name] });
    if (!isBuiltIn(endpoint)) onPassed(endpoint.endpointId, options.now());
    return reply(200, {});
  };
