import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import { OPERATIONS } from '../../../../functions/operations.ts';
import type { Outcome, SentRequest } from '../history.ts';

/** Longer than any response takes, so that a silent service cannot block the run. */
const SILENCE_MAX_MS = 15_000;

export const targetOf = (request: SentRequest): { readonly method: string; readonly path: string } => {
  const { method, path } = OPERATIONS[request.operation];
  return { method, path: 'cartId' in request ? path.replace('{cartId}', request.cartId) : path };
};

const readResponse = async (incoming: IncomingMessage): Promise<Outcome> => {
  let bodyText = '';
  incoming.setEncoding('utf8');
  for await (const text of incoming) bodyText += text as string;
  const { statusCode: status = 0, headers } = incoming;
  const body = JSON.parse(bodyText) as Record<string, unknown>;
  return {
    kind: 'response',
    response: { status, headers: headers as Record<string, string>, body, bodyText },
  };
};

const headersOf = (secret: string, request: SentRequest): Record<string, string> => ({
  Authorization: `Bearer ${secret}`,
  ...('payload' in request && {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(request.payload)),
    ...(request.idempotencyKey !== undefined && { 'Idempotency-Key': request.idempotencyKey }),
  }),
});

const agent = new Agent({ keepAlive: true });

/** Ends the connections that {@link send} keeps. */
export const closeConnections = (): void => agent.destroy();

const exchange = (baseUrl: string, secret: string, request: SentRequest): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const { method, path } = targetOf(request);
    const signal = AbortSignal.timeout(SILENCE_MAX_MS);
    const sent = openRequest(baseUrl + path, { method, headers: headersOf(secret, request), agent, signal });
    sent.once('error', reject).once('response', (incoming) => resolve(readResponse(incoming)));
    sent.end('payload' in request ? request.payload : undefined);
  });

/** Sends a request once, and waits at most 15 s for its response. It never rejects. */
export const send = async (baseUrl: string, secret: string, request: SentRequest): Promise<Outcome> => {
  try {
    return await exchange(baseUrl, secret, request);
  } catch (error) {
    const { code, name, message } = error as NodeJS.ErrnoException;
    return { kind: 'cut', reason: `${code ?? name}: ${message}` };
  }
};
