import { PERSONAL_DATA_DAYS } from '../stages.ts';
import { outputOf } from './stack-outputs.ts';
import type { Stage } from './stage.ts';

/** How many days the stage keeps the personal data of a completed cart. */
export const personalDataDaysOf = (stage: Stage): number =>
  stage.outputs ? Number(outputOf(stage, 'PersonalDataDays')) : PERSONAL_DATA_DAYS;
