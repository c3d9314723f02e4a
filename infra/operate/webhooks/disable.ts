import type { Run } from '../command.ts';
import type { DISABLE_WEBHOOK } from './commands.ts';
import { confirmChange, endpointStateJson, idsOf, updateEndpoint } from './endpoint.ts';

export const run: Run<typeof DISABLE_WEBHOOK> = async ({ endpoint }, context) => {
  await confirmChange('Disabling', endpoint, context);
  // The reason and the time of an earlier disabling stay.
  const disabled = endpoint.disabled ?? { atMs: context.now(), reason: 'operator' };
  const updated = await context.change(idsOf(endpoint), () =>
    updateEndpoint(endpoint, { disabled }, context.stores),
  );
  const lines = [`The endpoint ${endpoint.endpointId} receives nothing until you enable it.`];
  return { json: endpointStateJson(updated), lines };
};
