import { expect, test } from 'vitest';
import { unusedCosts, unusedTotal } from '../../../../infra/cost/unused-costs.ts';
import { synthesise } from '../../../../infra/examples/synthesise.ts';
import { unusedUsd } from '../../../../infra/operate/stages/unused-cost.ts';
import { branchStage, productionStage } from '../../../support/stack/template.ts';

test.each([
  ['prod', productionStage],
  ['my-branch', branchStage],
  ['watched', () => synthesise({ stage: 'watched', canary: 'true', dashboard: 'true' })],
])('`stages list` has the cost of the model: %s', (name, synthesis) => {
  const { template } = synthesis();
  const outputs = new Set(Object.keys(template.findOutputs('*')));
  expect(unusedUsd(name, outputs)).toBeCloseTo(unusedTotal(unusedCosts(template)), 2);
});
