import { Command } from 'commander';
import type { Host } from '../options.ts';
import { webhookAvailabilityCommand } from './availability.ts';
import { createWebhookCommand } from './create.ts';
import { webhookDeliveriesCommand } from './deliveries.ts';
import { listWebhooksCommand } from './list.ts';
import { removeWebhookCommand } from './remove.ts';
import { replayWebhookCommand } from './replay.ts';
import { rotateWebhookCommand } from './rotate.ts';
import { testWebhookCommand } from './test-endpoint.ts';

const HELP = `
Examples, in their usual order:
  npm run operate -- webhooks create --store shop --mode test --url https://shop.example/hook
  npm run operate -- webhooks list --store shop
  npm run operate -- webhooks test {id}
  npm run operate -- webhooks deliveries {id} --failed
  npm run operate -- webhooks replay {id} --since 2026-11-20T14:00:00Z
  npm run operate -- webhooks rotate {id} --overlap 24h
  npm run operate -- webhooks disable {id}
  npm run operate -- webhooks enable {id}
  npm run operate -- webhooks remove {id}`;

/** `webhooks`: works on the webhook endpoints of stores. */
export const webhooksCommand = (host: Host): Command =>
  new Command('webhooks')
    .description("create, test, list, rotate and remove stores' webhook endpoints")
    .addHelpText('after', HELP)
    .addCommand(createWebhookCommand(host))
    .addCommand(listWebhooksCommand(host))
    .addCommand(testWebhookCommand(host))
    .addCommand(rotateWebhookCommand(host))
    .addCommand(webhookAvailabilityCommand(host, 'disable'))
    .addCommand(webhookAvailabilityCommand(host, 'enable'))
    .addCommand(removeWebhookCommand(host))
    .addCommand(webhookDeliveriesCommand(host))
    .addCommand(replayWebhookCommand(host));
