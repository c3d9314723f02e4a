import { Construct } from 'constructs';
import { EVENT_FUNCTIONS } from '../../functions/operations.ts';
import { ENV_NAMES } from '../../lib/core/env-names.ts';
import type { StageConfig } from '../stages.ts';
import type { Database } from './database.ts';
import { runEveryMinute } from './every-minute.ts';
import { ServiceFunction } from './service-function.ts';

/** A scheduled function that uses the API as a merchant does, with a key of its own. */
export class Canary extends Construct {
  readonly lambda: ServiceFunction;

  /** @param publicUrl the stage's address, without a trailing slash */
  constructor(scope: Construct, id: string, config: StageConfig, database: Database, publicUrl: string) {
    super(scope, id);
    this.lambda = new ServiceFunction(scope, 'canary', config);
    database.grant(this.lambda, EVENT_FUNCTIONS.canary.access);
    this.lambda.addEnvironment(ENV_NAMES.publicUrl, publicUrl);
    runEveryMinute(this, 'Schedule', this.lambda);
  }
}
