import { Construct } from 'constructs';
import { FUNCTIONS } from '../../functions/function-needs.ts';
import type { StageConfig } from '../stage/stage-config.ts';
import type { Database } from './database.ts';
import { runEveryMinute } from './every-minute.ts';
import { ServiceFunction } from './service-function.ts';

/** Adds a scheduled function that uses the API as a merchant does, with a key of its own. */
export const addCanary = (scope: Construct, config: StageConfig, database: Database): ServiceFunction => {
  const canary = new ServiceFunction(scope, 'canary', config);
  database.grant(canary, FUNCTIONS.canary.access);
  runEveryMinute(new Construct(scope, 'SyntheticCanary'), 'Schedule', canary);
  return canary;
};
