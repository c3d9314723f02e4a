import { describe, expect, it } from 'vitest';
import { branchStage, fullStage } from '../../support/stack/template.ts';

const branch = branchStage().template;
const full = fullStage().template;

describe('the canary', () => {
  it('is absent where no stage asks for it', () => {
    expect(Object.keys(full.toJSON()['Outputs'] as object)).toContain('HasCanary');
    const { StageValues: _, ...outputs } = branch.toJSON()['Outputs'] as Record<string, unknown>;
    expect(JSON.stringify({ ...branch.toJSON(), Outputs: outputs })).not.toContain('anary');
  });
});
