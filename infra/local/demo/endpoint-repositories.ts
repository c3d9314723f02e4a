import { createEndpointChanges } from '../../../lib/endpoints/endpoint-changes.ts';
import { createEndpointRepository } from '../../../lib/endpoints/endpoint-repository.ts';
import { createSecretRepository } from '../../../lib/endpoints/secret-repository.ts';
import { createEventLog } from '../../../lib/events/event-log.ts';
import type { StageTables } from '../database/local-tables.ts';

/** Creates the repositories that read and change the local stage's webhook endpoints. */
export const endpointRepositories = ({ documents, tableNames, now }: StageTables) => ({
  endpoints: createEndpointRepository(documents, tableNames.webhookEndpoints),
  secrets: createSecretRepository(documents, tableNames.secrets),
  endpointChanges: createEndpointChanges(documents, tableNames, {
    log: createEventLog(documents, tableNames.events, { now }),
    now,
  }),
  now,
});
