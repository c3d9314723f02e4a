import type { LeanDocuments } from '../aws/document-client.ts';
import { createDocumentClient } from '../dynamodb.ts';
import { processClock } from '../core/process-clock.ts';
import { logger } from '../core/telemetry.ts';

// Once per process, however many functions it runs.
void processClock.skewMs.then((skewMs) => logger.warn('wrong clock', { skewMs }));

/** The document client of a function. It corrects the clock of the process. */
export const createFunctionClient = (): LeanDocuments => createDocumentClient({}, processClock);
