import { pathToFileURL } from 'node:url';
import type { OperationName } from '../../../../functions/operations.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { eventOf, type OperationRequest } from '../../../support/functions/invoke.ts';
import { CONTEXT } from '../support/context.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { serve } from '../support/worker.ts';

/** A number of equal requests, one after the other as in Lambda. */
export interface Round {
  readonly operation: OperationName;
  readonly request: OperationRequest;
  readonly count: number;
}

const [, , file = ''] = process.argv;
const { handler } = (await import(pathToFileURL(file).href)) as { readonly handler: ProxyFunction };

/**
 * Measures the CPU milliseconds of one request, on all threads and in user and system mode: the mean of a round. It
 * includes garbage collection and what a request leaves to do after its response.
 */
const measure = async ({ operation, request, count }: Round): Promise<number> => {
  const events = Array.from({ length: count }, () => eventOf(operation, request, Date.now));
  const startedCpuMs = cpuMs();
  for (const event of events) {
    const { statusCode, body } = await handler(event, CONTEXT);
    if (statusCode > 299) throw new Error(`The function responded with ${statusCode}: ${body}`);
  }
  return (cpuMs() - startedCpuMs) / count;
};

serve(measure);
