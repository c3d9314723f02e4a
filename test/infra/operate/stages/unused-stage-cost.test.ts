import { expect, test } from 'vitest';
import { unusedStageCosts, unusedStageTotal } from '../../../../infra/cost/unused-stage-costs.ts';
import { synthesise } from '../../../../infra/example-stages/synthesise.ts';
import { unusedStageUsd } from '../../../../infra/operate/stages/unused-stage-cost.ts';
import { branchStage, productionStage } from '../../../support/stack/template.ts';

test.each([
  ['prod', productionStage],
  ['my-branch', branchStage],
  ['watched', () => synthesise({ stage: 'watched', canary: 'true', dashboard: 'true' })],
])('`stages list` has the cost of the model: %s', (name, synthesis) => {
  const { template } = synthesis();
  const outputs = new Set(Object.keys(template.findOutputs('*')));
  expect(unusedStageUsd(name, outputs)).toBeCloseTo(unusedStageTotal(unusedStageCosts(template)), 2);
});
