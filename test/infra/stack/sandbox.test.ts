import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { withoutHash } from '../../../infra/stage/stack-template.ts';
import { branchStage, fullStage } from '../../support/stack/template.ts';

describe('the sandbox', () => {
  const branch = branchStage().template;
  const without = fullStage().template;
  /** The ids of the resources of a type, without the hashes behind them. */
  const idsOf = (template: Template, type: string): string[] =>
    Object.keys(template.findResources(type)).map(withoutHash).toSorted();

  it.each([
    ['AWS::Lambda::Function', ['SandboxCheckout']],
    ['AWS::IAM::Role', ['SandboxCheckoutRole']],
    ['AWS::IAM::Policy', ['SandboxCheckoutRoleDefaultPolicy']],
    ['AWS::Logs::LogGroup', ['SandboxCheckoutLogs']],
    ['AWS::DynamoDB::GlobalTable', []],
  ])('is left out with -c sandbox=false, with no other %s', (type, ids) => {
    const kept = idsOf(without, type);
    expect(idsOf(branch, type).filter((id) => !kept.includes(id))).toStrictEqual(ids);
  });

  it('has no route with -c sandbox=false', () => {
    expect(JSON.stringify(without.findResources('AWS::ApiGateway::Resource'))).not.toMatch(/sandbox/i);
    expect(JSON.stringify(branch.findResources('AWS::ApiGateway::Resource'))).toMatch(/sandbox/i);
  });
});
