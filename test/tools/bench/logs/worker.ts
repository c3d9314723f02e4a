import { randomUUID } from 'node:crypto';
import { handler as createCartCheckout } from '../../../../functions/create-cart-checkout/handler.ts';
import { handler as getCart } from '../../../../functions/get-cart/handler.ts';
import { createLambdaContext } from '../../../../infra/local/gateway/invocation.ts';
import { FUNCTION_TIMEOUT_MS } from '../../../../infra/stage/function-limits.ts';
import { eventOf, type OperationRequest } from '../../../support/functions/invoke.ts';
import { logged } from '../../../support/logs/log-lines.ts';
import { serve } from '../support/worker.ts';

const HANDLERS = { createCartCheckout, getCart };

export interface Sample {
  readonly operation: keyof typeof HANDLERS;
  readonly request: OperationRequest;
}

/** Sends one request. Returns its log line, and the size of its response. */
serve(async ({ operation, request }: Sample) => {
  const context = createLambdaContext({
    functionName: operation,
    awsRequestId: randomUUID(),
    timeoutMs: FUNCTION_TIMEOUT_MS,
    now: Date.now,
  });
  let responseBytes = 0;
  const [line] = await logged(async () => {
    const { body } = await HANDLERS[operation](eventOf(operation, request, Date.now), context);
    responseBytes = Buffer.byteLength(body);
  });
  return { line, responseBytes };
});
