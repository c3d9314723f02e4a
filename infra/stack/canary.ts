import { Construct } from 'constructs';
import { EVENT_FUNCTIONS } from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/settings/env-names.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import type { Database } from './database.ts';
import { runEveryMinute } from './every-minute.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * Adds a scheduled function that uses the API as a merchant does, with a key of its own.
 *
 * @param publicUrl the stage's address, without a trailing slash
 */
export const addCanary = (
  scope: Construct,
  config: StageConfig,
  database: Database,
  publicUrl: string,
): ServiceFunction => {
  const canary = new ServiceFunction(scope, 'canary', config);
  database.grant(canary, EVENT_FUNCTIONS.canary.access);
  canary.addEnvironment(ENV_NAMES.publicUrl, publicUrl);
  runEveryMinute(new Construct(scope, 'SyntheticCanary'), 'Schedule', canary);
  return canary;
};
