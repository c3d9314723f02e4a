import type { Command } from 'commander';
import { recordChange } from '../audit/record.ts';
import { type CommonFlags, type Host, stageCommand, withYes, type YesFlag } from '../options.ts';
import { print } from '../output.ts';
import { changeOf, confirmChange, findEndpoint } from './found-endpoint.ts';

const removeWebhook = async (host: Host, id: string, flags: CommonFlags & YesFlag): Promise<void> => {
  const found = await findEndpoint(host, id, flags);
  await confirmChange(host, 'Removing', found, flags);
  await recordChange(host, found.stage, changeOf('remove', found), async () => {
    await found.endpoints.remove(found.endpoint);
    await found.secrets.remove(id);
  });
  await print(host, flags.json, { id, removed: true }, [`Removed the webhook endpoint ${id}.`]);
};

const HELP = `
Example:
  npm run operate -- webhooks remove we_0123456789abcdefghijABCD

The command deletes its secret too, and the service sends no further deliveries. Their records stay for 30 days.
To stop the deliveries for a while, use \`webhooks disable\`.`;

/** `webhooks remove`: deletes a webhook endpoint and its secret. */
export const removeWebhookCommand = (host: Host): Command =>
  withYes(stageCommand('remove', 'delete a webhook endpoint and its secret', HELP))
    .argument('<id>', 'the id of the endpoint')
    .action((id: string, flags: CommonFlags & YesFlag) => removeWebhook(host, id, flags));
