import { OPERATIONS, ROUTES } from '../../../../functions/operations.ts';
import { startGateway } from '../../../../infra/local/gateway/gateway.ts';
import { inTurn, limitInvocations } from '../../../../infra/local/invocations.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { bareFileOf, BENCH_OPERATIONS } from '../support/operations.ts';

// The bare functions behind the local stage's gateway. The environment has the address of the database.
const limited = limitInvocations();
const names = new Set<string>(BENCH_OPERATIONS.map((name) => OPERATIONS[name].functionName));

const bareHandler = (functionName: string): ProxyFunction =>
  inTurn(limited, async () => {
    const { handler } = (await import(bareFileOf(functionName))) as { readonly handler: ProxyFunction };
    return handler;
  });

type Handlers = Parameters<typeof startGateway>[0]['handlers'];

const gateway = await startGateway({
  routes: ROUTES.filter(({ functionName }) => names.has(functionName)),
  handlers: Object.fromEntries(
    ROUTES.map(({ functionName }) => [functionName, bareHandler(functionName)]),
  ) as Handlers,
  port: 0,
});
process.stdout.write(`${JSON.stringify({ baseUrl: gateway.baseUrl })}\n`);
