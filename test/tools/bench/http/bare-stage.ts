import { startGateway } from '../../../../infra/local/gateway/gateway.ts';
import { inTurn, limitInvocations } from '../../../../infra/local/invocations.ts';
import { ROUTES } from '../../../../functions/operations.ts';
import type { ProxyFunction } from '../../../../lib/http/pipeline.ts';

// The bare functions behind the local stage's gateway, as the local stage has them. Its database is in the environment.
const limited = limitInvocations();

const invoke = (load: () => Promise<{ readonly handler: unknown }>): ProxyFunction =>
  inTurn(limited, async () => (await load()).handler as ProxyFunction);

const gateway = await startGateway({
  routes: ROUTES.filter(({ functionName }) => functionName !== 'sandbox-checkout'),
  handlers: {
    'create-cart-checkout': invoke(() => import('../bare/create-cart-checkout.ts')),
    'get-cart': invoke(() => import('../bare/get-cart.ts')),
    'sandbox-checkout': invoke(() => Promise.reject(new Error('There is no bare sandbox'))),
  },
  port: 0,
});
process.stdout.write(`${JSON.stringify({ baseUrl: gateway.baseUrl })}\n`);
