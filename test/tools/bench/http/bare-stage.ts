import { OPERATIONS, ROUTES } from '../../../../functions/operations.ts';
import { startGateway } from '../../../../infra/local/gateway/gateway.ts';
import { inTurn, limitInvocations } from '../../../../infra/local/invocations.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { bareFileOf, BENCH_OPERATIONS } from '../support/operations.ts';

// The bare functions behind the local stage's gateway. The environment has the address of the database.
const limited = limitInvocations();
const names = new Set<string>(BENCH_OPERATIONS.map((name) => OPERATIONS[name].functionName));

/** The gateway takes callers for strangers, and delays them, until a response shows that their key is valid. */
const AUTHENTICATED = { 'X-RateLimit-Limit': '1' };

const bareHandler = (functionName: string): ProxyFunction =>
  inTurn(limited, async () => {
    const { handler } = (await import(bareFileOf(functionName))) as { readonly handler: ProxyFunction };
    return async (event, context) => {
      const result = await handler(event, context);
      return { ...result, headers: { ...result.headers, ...AUTHENTICATED } };
    };
  });

const gateway = await startGateway({
  routes: ROUTES.filter(({ functionName }) => names.has(functionName)),
  handlers: Object.fromEntries(ROUTES.map(({ functionName }) => [functionName, bareHandler(functionName)])),
  port: 0,
});
process.stdout.write(`${JSON.stringify({ baseUrl: gateway.baseUrl })}\n`);
