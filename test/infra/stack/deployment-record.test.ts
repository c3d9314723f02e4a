import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { BRANCH_CONTEXT, FULL_CONTEXT, PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { RELEASE, synthesise } from '../../../infra/example-stages/synthesise.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import { stageValues, VALUE_NAMES } from '../../../infra/stage/stage-values.ts';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

/** An output with JSON. */
const outputOf = (template: Template, name: string): unknown => {
  const { Value } = template.findOutputs(name)[name] as { Value: string };
  return JSON.parse(Value);
};

describe('the values of a stage', () => {
  it.each<[string, StageContext, () => Template]>([
    ['a branch', BRANCH_CONTEXT, () => branchStage().template],
    ['production', PRODUCTION_CONTEXT, () => productionStage().template],
    ['a stage with everything', FULL_CONTEXT, () => fullStage().template],
  ])('are one output, with every default: %s', (_what, context, templateOf) => {
    const values = stageValues(context, stageConfig(context));
    expect(outputOf(templateOf(), 'StageValues')).toStrictEqual(values);
    const names = [...Object.keys(values.given), ...Object.keys(values.default)];
    expect(names.toSorted()).toStrictEqual(VALUE_NAMES.toSorted());
    const { stage: _stage, ...given } = context;
    expect(values.given).toStrictEqual(given);
  });

  it('come from the file of the stage, by its safe name', () => {
    const stage = 'feature/of mine';
    const read: string[] = [];
    const stageFile = (name: string) => {
      read.push(name);
      return { personalDataDays: 90 };
    };
    const { template } = synthesise({ stage }, { repository: { stageFile } });
    expect(outputOf(template, 'StageValues')).toMatchObject({ given: { personalDataDays: '90' } });
    expect(read).toStrictEqual([expect.stringMatching(/^feature-of-mi-[0-9a-f]{10}$/)]);
  });
});

describe('the release of a stage', () => {
  const next = { ...RELEASE, commit: '0'.repeat(40) };
  const other = synthesise(PRODUCTION_CONTEXT, { repository: { release: () => next } }).template.toJSON();
  const production = productionStage().template;

  it('is an output', () => {
    expect(outputOf(production, 'Release')).toStrictEqual(RELEASE);
  });

  it('publishes no version of a function by its commit alone: nothing but the output and the mapping differs', () => {
    const { Outputs, Mappings, ...resources } = other;
    const { Outputs: outputs, Mappings: mappings, ...expected } = production.toJSON();
    expect(resources).toStrictEqual(expected);
    expect(Mappings).toStrictEqual({ Commit: { release: { commit: next.commit } } });
    expect(mappings).toStrictEqual({ Commit: { release: { commit: RELEASE.commit } } });
    expect(Outputs).toStrictEqual({ ...(outputs as object), Release: { Value: JSON.stringify(next) } });
  });
});
