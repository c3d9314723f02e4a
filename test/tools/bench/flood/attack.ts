import { randomBytes } from 'node:crypto';
import autocannon from 'autocannon';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { withChecksum } from '../../../../lib/api-keys/api-key.ts';
import { WORST_REQUESTS } from '../../../support/worst-requests.ts';
import { serve } from '../support/worker.ts';

/** Creations over a number of connections, each as soon as the one before it has its response. */
export interface Attack {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** A name of `WORST_REQUESTS`. */
  readonly request: string;
  /** Whether each request has a new, well-formed key that nobody issued. Otherwise none has a key. */
  readonly hasKeys: boolean;
}

export interface AttackResult {
  readonly requestsPerSecond: number;
}

/** The checksum is public, so anybody can make such a key. */
const newKey = (): string => withChecksum(`cck_test_${randomBytes(16).toString('hex')}`);

/** Sends an attack. Rejects if a response was missing or not a 401. */
const attack = ({ url, connections, seconds, request, hasKeys }: Attack): Promise<AttackResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<AttackResult>();
  const { body, headers } = WORST_REQUESTS[request]!;
  const { method, path } = OPERATIONS.createCartCheckout;
  const common = { 'Content-Type': 'application/json', ...headers };
  const withKey = (sent: { headers: object }) => ({
    ...sent,
    headers: { ...common, Authorization: `Bearer ${newKey()}` },
  });
  const requests = [
    { method, path, headers: common, body: Buffer.from(body), ...(hasKeys && { setupRequest: withKey }) },
  ];
  autocannon(
    { url, connections, duration: seconds, requests },
    (error, { statusCodeStats, errors, duration }) => {
      const { 401: rejected, ...others } = statusCodeStats;
      if (error) reject(error);
      if (errors > 0 || Object.keys(others).length > 0)
        reject(new Error(`${errors} responses were missing, and others were ${Object.keys(others).join()}`));
      resolve({ requestsPerSecond: (rejected?.count ?? 0) / duration });
    },
  );
  return promise;
};

serve(attack);
