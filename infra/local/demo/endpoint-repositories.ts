import { createEndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import type { StageTables } from '../database/local-tables.ts';

/** What reads and changes the webhook endpoints of the local stage. */
export const endpointRepositories = ({ documents, tableNames, now }: StageTables) => ({
  endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
  secrets: createSecretRepository(documents, tableNames.secrets),
  endpointChanges: createEndpointChanges(documents, tableNames, {
    log: createEventLog(documents, tableNames.events, { now }),
    now,
  }),
  now,
});
