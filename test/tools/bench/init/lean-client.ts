import { createDocumentClient } from '../../../../lib/dynamodb.ts';

/** The client of every function of this service. */
export const documents = createDocumentClient();
