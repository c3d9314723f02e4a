import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/gateway/listen.ts';

/** A response of a scripted API. `cut`: the connection breaks. `hang`: no response arrives. */
export type ScriptedResponse =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object | string;
    }
  | 'cut'
  | 'hang';

/** Starts an API that gives these responses in turn, then the last one again and again. It ends with the test. */
export const givenResponses = async (
  ...responses: readonly ScriptedResponse[]
): Promise<{ readonly baseUrl: string; readonly requests: readonly IncomingMessage[] }> => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, outgoing) => {
    const response = responses[Math.min(requests.length, responses.length - 1)]!;
    requests.push(request);
    if (response === 'hang') return;
    if (response === 'cut') {
      request.destroy();
      return;
    }
    const { status, headers = {}, body = '' } = response;
    outgoing.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const port = await listen(server, '127.0.0.1', 0);
  onTestFinished(() => server.close().closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${port}`, requests };
};
