import type { DeliverDependencies } from './deliver-dependencies.ts';
import type { Denial } from './leases/lease-conditions.ts';
import type { Lease } from './leases/leases.ts';
import type { DeliveryMessage } from './queue/queue-message.ts';
import type { Attempt } from './records/attempt.ts';
import { signedHeaders } from './sending/signature.ts';
import { testBody } from './test-events/test-body.ts';

/**
 * The JSON text to send: that of the log as it is now, without the data that was erased since. `undefined` if the event is gone.
 * After a restore of the log, another event may have its number.
 */
const bodyOf = async (
  message: DeliveryMessage,
  { findEvent }: Pick<DeliverDependencies, 'findEvent'>,
): Promise<string | undefined> => {
  if (message.sequence === undefined) return testBody(message, message.endpoint.mode);
  const event = await findEvent(message.endpoint, message.sequence);
  return event?.id === message.eventId ? event.body : undefined;
};

/**
 * Does work under a lease, and frees the slot if it fails: otherwise, nothing could go out until the lease ends.
 *
 * @throws the error of the work
 */
export const freeOnError = async <Result>(
  lease: Lease,
  { leases }: Pick<DeliverDependencies, 'leases'>,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    try {
      await leases.free(lease);
    } catch {
      // DynamoDB is down. The lease ends by itself.
    }
    throw error;
  }
};

/**
 * Sends a message once. It reads the secret while it holds the lease, which has the version of the secret. Once a rotation has
 * returned, no request is therefore signed with the secrets of before.
 *
 * @returns the attempt, or why nothing was sent. `unknown`: the event is gone. `contended`: the lease could end before the
 *   response, and another process would send too
 * @throws when DynamoDB is slow, throttles or is down, or if the endpoint lost its secret
 */
export const sendUnderLease = async (
  message: DeliveryMessage,
  { endpoint, startByMs }: Lease,
  dependencies: DeliverDependencies,
): Promise<Attempt | Denial> => {
  const { findSecret, send, now } = dependencies;
  const body = await bodyOf(message, dependencies);
  if (body === undefined) return { outcome: 'unknown' };
  const secret = await findSecret(endpoint);
  if (!secret) throw new Error('The endpoint has no signing secret');
  const atMs = now();
  if (atMs > startByMs) return { outcome: 'contended' };
  const headers = signedHeaders(message.eventId, body, secret, atMs);
  const result = await send({ url: endpoint.url, headers, body });
  return { ...result, atMs, attempt: message.attempt };
};
