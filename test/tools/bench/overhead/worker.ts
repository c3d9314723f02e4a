import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Bench } from 'tinybench';
import { toGatewayEvent } from '../../../../infra/local/gateway/event.ts';
import { createLambdaContext } from '../../../../infra/local/gateway/lambda-context.ts';
import { FUNCTION_TIMEOUT_MS, ROUTES } from '../../../../functions/operations.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import type { BenchRequest } from '../support/requests.ts';
import { serve } from '../support/worker.ts';

/** So many requests, one after the other as Lambda does. */
export interface Round {
  readonly request: BenchRequest;
  readonly count: number;
}

const [, , file = '', functionName = ''] = process.argv;
const { handler } = createRequire(import.meta.url)(file) as { readonly handler: ProxyFunction };

const toEvent = ({ method, path, headers, body = '' }: BenchRequest): APIGatewayProxyEvent =>
  toGatewayEvent(
    {
      method,
      target: path,
      rawHeaders: Object.entries(headers).flat(),
      body: Buffer.from(body),
      httpVersion: '1.1',
      sourceIp: '127.0.0.1',
    },
    {
      resource: ROUTES.find((route) => route.functionName === functionName)?.path ?? '',
      pathParameters: method === 'GET' ? new Map([['cartId', path.split('/').at(-1) ?? '']]) : new Map(),
      requestId: randomUUID(),
      receivedAtMs: Date.now(),
      domainName: 'localhost',
      port: 80,
    },
  );

/** All that this process computes, on any of its threads, in the system's name or its own. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** CPU time of one request in milliseconds: the mean of a round, so that collecting its garbage is in it. */
const measure = async ({ request, count }: Round): Promise<number> => {
  const events = Array.from({ length: count }, () => toEvent(request));
  const context = createLambdaContext({
    functionName,
    awsRequestId: randomUUID(),
    timeoutMs: FUNCTION_TIMEOUT_MS * 1_000,
    now: Date.now,
  });
  const bench = new Bench({ now: cpuMs, iterations: count, time: 0, warmup: false, throws: true });
  bench.add(functionName, async () => {
    const { statusCode, body } = await handler(events.pop()!, context);
    if (statusCode > 299) throw new Error(`The function answered ${statusCode}: ${body}`);
  });
  const [task] = await bench.run();
  if (task?.result.state !== 'completed') throw new Error('The round did not complete');
  return task.result.latency.mean;
};

serve(measure);
