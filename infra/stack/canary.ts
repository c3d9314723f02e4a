import { Construct } from 'constructs';
import type { StageConfig } from '../stage/stage-config.ts';
import type { Database } from './database.ts';
import { runEveryMinute } from './every-minute.ts';
import { addFunction, type ServiceFunction } from './service-function.ts';

/** Adds a scheduled function that uses the API as a merchant does, with a key of its own. */
export const addCanary = (scope: Construct, config: StageConfig, database: Database): ServiceFunction => {
  const canary = addFunction(scope, 'canary', config, database);
  runEveryMinute(new Construct(scope, 'SyntheticCanary'), 'Schedule', canary);
  return canary;
};
