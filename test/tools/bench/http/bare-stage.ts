import { OPERATIONS, ALL_OPERATIONS } from '../../../../functions/operations.ts';
import { startGateway } from '../../../../infra/local/gateway/gateway.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';
import { bareFileOf, BENCH_OPERATIONS } from '../support/operations.ts';

// The bare functions behind the local stage's gateway. The environment has the address of the database.
const names = new Set<string>(BENCH_OPERATIONS.map((name) => OPERATIONS[name].functionName));

const bareHandler = async (functionName: string): Promise<[string, ProxyFunction]> => {
  const { handler } = (await import(bareFileOf(functionName))) as { readonly handler: ProxyFunction };
  return [functionName, handler];
};

const gateway = await startGateway({
  routes: ALL_OPERATIONS.filter(({ functionName }) => names.has(functionName)),
  handlers: Object.fromEntries(await Promise.all([...names].map(bareHandler))),
  port: 0,
});
process.stdout.write(`${JSON.stringify({ baseUrl: gateway.baseUrl })}\n`);
