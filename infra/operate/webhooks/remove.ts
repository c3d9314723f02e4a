import type { Run } from '../command.ts';
import type { REMOVE_WEBHOOK } from './commands.ts';
import { confirmChange, idsOf } from './endpoint.ts';

export const run: Run<typeof REMOVE_WEBHOOK> = async ({ endpoint }, context) => {
  const { endpointId: id } = endpoint;
  const { endpoints, secrets } = context.stores;
  await confirmChange('Removing', endpoint, context);
  await context.change(idsOf(endpoint), async () => {
    await endpoints.remove(endpoint);
    await secrets.remove(id);
  });
  return { json: { id, removed: true }, lines: [`Removed the webhook endpoint ${id}.`] };
};
