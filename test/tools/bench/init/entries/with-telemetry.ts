export { count, logger } from '../../../../../lib/telemetry.ts';
export { documents } from './document-client.ts';
