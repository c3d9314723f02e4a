import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { FULL_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { synthesise } from '../../../infra/example-stages/synthesise.ts';
import {
  branchStage,
  fullStage,
  OTHER_BRANCH_CONTEXT,
  otherBranchStage,
} from '../../support/stack/template.ts';

/** The boundary of each role. */
const boundariesIn = (template: Template): readonly unknown[] =>
  Object.values(template.findResources('AWS::IAM::Role')).map(
    (role) => (role as { Properties: { PermissionsBoundary?: unknown } }).Properties.PermissionsBoundary,
  );

describe('the permissions boundary', () => {
  it('of a name bounds every role of a stage with every option', () => {
    const boundaries = boundariesIn(fullStage().template);
    expect(boundaries.length).toBeGreaterThan(5);
    const ending = `:policy/${FULL_CONTEXT.permissionsBoundary}`;
    const parts = ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ending];
    expect(boundaries).toStrictEqual(boundaries.map(() => ({ 'Fn::Join': ['', parts] })));
  });

  it('of an ARN bounds every role, also that of the roll-out', () => {
    const { template } = otherBranchStage();
    expect(Object.keys(template.findResources('AWS::CodeDeploy::Application'))).toHaveLength(1);
    const boundaries = boundariesIn(template);
    expect(boundaries).toStrictEqual(boundaries.map(() => OTHER_BRANCH_CONTEXT.permissionsBoundary));
  });

  it('is absent if the context sets none', () => {
    const boundaries = boundariesIn(branchStage().template);
    expect(boundaries).toStrictEqual(boundaries.map(() => undefined));
  });
});

it('the qualifier selects the bootstrap, by default that of the CDK', () => {
  const versionIn = (template: Template): unknown =>
    (template.findParameters('BootstrapVersion')['BootstrapVersion'] as { Default: unknown }).Default;
  expect(versionIn(fullStage().template)).toBe('/cdk-bootstrap/shop1/version');
  expect(versionIn(branchStage().template)).toBe('/cdk-bootstrap/hnb659fds/version');
});

it.each([
  ['permissionsBoundary', 'a'.repeat(600)],
  ['permissionsBoundary', 'arn:aws:iam::111111111111:role/boundary'],
  ['permissionsBoundary', '{"name":"boundary"}'],
  ['qualifier', 'Shop'],
  ['qualifier', 'shop-1'],
  ['qualifier', 'shop1234567'],
])('the %s %s is rejected', (name, value) => {
  expect(() => synthesise({ stage: 'x', [name]: value })).toThrow(`The ${name} must be`);
});
