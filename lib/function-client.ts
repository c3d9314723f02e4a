import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from './dynamodb.ts';
import { processClock } from './process-clock.ts';
import { logger } from './telemetry.ts';

/** The document client of a function. It corrects the clock of the process, and logs once if the machine's clock is wrong. */
export const createFunctionClient = (): DynamoDBDocumentClient => {
  processClock.reportSkew((skewMs) => logger.warn('wrong clock', { skewMs }));
  return createDocumentClient({}, processClock);
};
