import { Construct } from 'constructs';
import type { StageConfig } from '../stage/stage-config.ts';
import type { Database } from './database/database.ts';
import { runEveryMinute } from './events/every-minute.ts';
import { addFunction, type ServiceFunction } from './functions/service-function.ts';

/** Adds a scheduled function that uses the API as a merchant does, with a key of its own. */
export const addCanary = (scope: Construct, config: StageConfig, database: Database): ServiceFunction => {
  const canary = addFunction(scope, 'canary', config, database);
  runEveryMinute(new Construct(scope, 'SyntheticCanary'), 'Schedule', canary);
  return canary;
};
