import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { targetOf } from '../../../support/functions/invoke.ts';
import type { Outcome, SentRequest } from './history.ts';

/** Longer than any response takes, so that a silent service cannot block the run. */
const SILENCE_MAX_MS = 15_000;

export const pathOf = ({ operation, cartId = '' }: SentRequest): string =>
  targetOf(operation, { pathParameters: { cartId } });

const readResponse = async (incoming: IncomingMessage): Promise<Outcome> => {
  const bodyText = await text(incoming);
  const { statusCode: status = 0, headers } = incoming;
  const body = JSON.parse(bodyText) as Record<string, unknown>;
  return { status, response: { status, headers: headers as Record<string, string>, body, bodyText } };
};

const agent = new Agent({ keepAlive: true });

/** Ends the connections that {@link send} keeps. */
export const closeConnections = (): void => agent.destroy();

const exchange = (baseUrl: string, secret: string, request: SentRequest): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const { payload, idempotencyKey } = request;
    const headers = {
      Authorization: `Bearer ${secret}`,
      ...(payload !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const { method } = OPERATIONS[request.operation];
    const signal = AbortSignal.timeout(SILENCE_MAX_MS);
    openRequest(baseUrl + pathOf(request), { method, headers, agent, signal })
      .once('error', reject)
      .once('response', (incoming) => resolve(readResponse(incoming)))
      .end(payload);
  });

/** Sends a request once, and waits at most 15 s for its response. It never rejects. */
export const send = async (baseUrl: string, secret: string, request: SentRequest): Promise<Outcome> => {
  try {
    return await exchange(baseUrl, secret, request);
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException;
    return { status: 'cut', cutReason: `${code ?? name}: ${message}` };
  }
};
