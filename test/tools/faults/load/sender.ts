import { Agent, type IncomingMessage, request as openRequest } from 'node:http';
import type { Outcome, SentRequest } from '../history.ts';

/** Beyond any answer: a request is given up, so that a silent service cannot hold up the run. */
const SILENCE_MAX_MS = 15_000;

/** Sends requests, over connections that it keeps. */
export interface Sender {
  send(baseUrl: string, secret: string, request: SentRequest): Promise<Outcome>;
  close(): void;
}

const readResponse = async (response: IncomingMessage): Promise<Outcome> => {
  let bodyText = '';
  response.setEncoding('utf8');
  for await (const text of response) bodyText += text as string;
  const { statusCode: status = 0, headers } = response;
  const body = JSON.parse(bodyText) as Record<string, unknown>;
  return { kind: 'answer', answer: { status, headers: headers as Record<string, string>, body, bodyText } };
};

const headersOf = (secret: string, request: SentRequest): Record<string, string> => ({
  Authorization: `Bearer ${secret}`,
  ...(request.operation === 'create' && {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(request.payload)),
    ...(request.idempotencyKey !== undefined && { 'Idempotency-Key': request.idempotencyKey }),
  }),
});

/** A client without retries and without patience beyond {@link SILENCE_MAX_MS}. It never rejects. */
export const createSender = (): Sender => {
  const agent = new Agent({ keepAlive: true });

  const exchange = (baseUrl: string, secret: string, request: SentRequest): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const path = request.operation === 'create' ? 'checkout' : request.cartId;
      const sent = openRequest(`${baseUrl}/api/v1/stores/cart/${path}`, {
        method: request.operation === 'create' ? 'POST' : 'GET',
        headers: headersOf(secret, request),
        agent,
        signal: AbortSignal.timeout(SILENCE_MAX_MS),
      });
      sent.once('error', reject).once('response', (response) => resolve(readResponse(response)));
      sent.end(request.operation === 'create' ? request.payload : undefined);
    });

  return {
    send: async (baseUrl, secret, request) => {
      try {
        return await exchange(baseUrl, secret, request);
      } catch (error) {
        const { code, name, message } = error as NodeJS.ErrnoException;
        return { kind: 'cut', reason: `${code ?? name}: ${message}` };
      }
    },
    close: () => agent.destroy(),
  };
};
