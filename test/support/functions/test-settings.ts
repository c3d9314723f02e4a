import { queueSettings } from '../../../infra/stage/queues.ts';
import { TABLES, tableSettings } from '../../../infra/stage/tables.ts';
import { TABLE_KINDS, type TableKind } from '../../../lib/database/tables.ts';
import type { RequiredSetting } from '../../../lib/settings/settings.ts';

/** The settings with tables that only a stand-in has. */
const TABLE_SETTINGS = tableSettings(
  Object.fromEntries(TABLE_KINDS.map((kind) => [kind, TABLES[kind].name])) as Record<TableKind, string>,
);

/** A valid value of each setting that a function cannot do without. Nothing listens at the addresses. */
export const TEST_SETTINGS: Readonly<Record<RequiredSetting, string>> = {
  ...TABLE_SETTINGS,
  stageName: 'test',
  eventBusName: 'events',
  ...queueSettings((name) => `https://queue.invalid/${name}`),
  publicUrl: 'https://api.invalid',
  errorsUrl: 'https://api.invalid/errors',
  sourceHashKey: '0'.repeat(64),
  liveCheckoutUrl: 'https://checkout.invalid',
  sandboxCheckoutUrl: 'https://checkout.invalid',
  cartExpirySeconds: '86400',
  cartRetentionSeconds: '2592000',
  personalDataDays: '730',
};
