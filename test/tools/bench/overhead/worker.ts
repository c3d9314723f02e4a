import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { Bench } from 'tinybench';
import { FUNCTION_TIMEOUT_MS, type OperationName } from '../../../../functions/operations.ts';
import { createLambdaContext } from '../../../../infra/local/gateway/lambda-context.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { eventOf, type OperationRequest } from '../../../support/invoke.ts';
import { serve } from '../support/worker.ts';

/** A number of equal requests, one after the other as in Lambda. */
export interface Round {
  readonly operation: OperationName;
  readonly request: OperationRequest;
  readonly count: number;
}

const [, , file = ''] = process.argv;
const { handler } = (await import(pathToFileURL(file).href)) as { readonly handler: ProxyFunction };

/** The CPU time of this process so far, on all threads, in user and system mode. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** Measures the CPU milliseconds of one request: the mean of a round, so that it includes garbage collection. */
const measure = async ({ operation, request, count }: Round): Promise<number> => {
  const events = Array.from({ length: count }, () => eventOf(operation, request, Date.now));
  const context = createLambdaContext({
    functionName: 'bench',
    awsRequestId: randomUUID(),
    timeoutMs: FUNCTION_TIMEOUT_MS * 1_000,
    now: Date.now,
  });
  const bench = new Bench({ now: cpuMs, iterations: count, time: 0, warmup: false, throws: true });
  bench.add('round', async () => {
    const { statusCode, body } = await handler(events.pop()!, context);
    if (statusCode > 299) throw new Error(`The function responded with ${statusCode}: ${body}`);
  });
  const [task] = await bench.run();
  if (task?.result.state !== 'completed') throw new Error('The round did not complete');
  return task.result.latency.mean;
};

serve(measure);
