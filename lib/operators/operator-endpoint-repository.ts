import type { DocumentClient } from '../database/documents.ts';
import { scanItems } from '../database/paginate.ts';
import { existingEndpoint, isRemoved } from '../endpoints/endpoint-item.ts';
import { createEndpointRepository, readEndpointItems } from '../endpoints/endpoint-repository.ts';
import type { EndpointWithState } from '../endpoints/endpoint.ts';
import type { StoreMode } from '../stores/mode.ts';

/** Webhook endpoints for operators. Every method throws when DynamoDB is slow, throttles or is down. */
export const createOperatorEndpointRepository = (documents: DocumentClient, tableName: string) => {
  /** Lists all endpoints, in no order. Reads the whole table. */
  const list = async (): Promise<readonly EndpointWithState[]> =>
    (await scanItems(documents, tableName, existingEndpoint)).filter((endpoint) => endpoint !== undefined);

  return {
    ...createEndpointRepository(documents, tableName),
    list,

    /** Finds an endpoint by its id alone. Reads the whole table. */
    findById: async (endpointId: string): Promise<EndpointWithState | undefined> =>
      (await list()).find((endpoint) => endpoint.endpointId === endpointId),

    /** Lists the ids of the endpoints of a store and mode, as `listOf`. Includes those that this release cannot read. */
    idsOf: async (storeMode: StoreMode): Promise<readonly string[]> =>
      (await readEndpointItems(documents, tableName, storeMode))
        .filter((item) => !isRemoved(item))
        .map(({ id }) => String(id)),
  };
};

export type OperatorEndpointRepository = ReturnType<typeof createOperatorEndpointRepository>;
