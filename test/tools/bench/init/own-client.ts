import { createDocumentClient } from '../../../../lib/aws.ts';

/** The client of every function of this service. */
export const documents = createDocumentClient();
