import { describe, expect, it } from 'vitest';
import {
  CONTEXT_NAMES,
  contextFlags,
  readStageContext,
  type StageContext,
} from '../../infra/stage-context.ts';
import { stageConfig } from '../../infra/stages.ts';

describe('the context of a deployment', () => {
  it('has only names that the configuration reads', () => {
    const names = new Set<unknown>();
    const get = (values: StageContext, name: string): unknown => names.add(name) && Reflect.get(values, name);
    const context = { stage: 'prod', checkoutUrl: 'https://pay.example.com', alarmEmail: 'none' };
    stageConfig(new Proxy<StageContext>(context, { get }));
    expect(names).toStrictEqual(new Set(CONTEXT_NAMES));
  });

  const read = (values: Readonly<Record<string, unknown>>): unknown =>
    readStageContext(values, () => 'a-branch');

  it.each([
    ['alarmEMail', 'Did you mean alarmEmail?'],
    ['alarm-email', 'Did you mean alarmEmail?'],
    ['alarm_mail', 'Did you mean alarmEmail?'],
    ['STAGE', 'Did you mean stage?'],
    ['sage', 'Did you mean stage?'],
    ['checkoutURI', 'Did you mean checkoutUrl?'],
    ['requestPerSeconds', 'Did you mean requestsPerSecond?'],
    ['firewal', 'Did you mean firewall?'],
    ['rate', /^There is no context value "rate". Use one of stage, protected, checkoutUrl, .*\.$/],
    ['__proto__x', /Use one of/],
  ])('rejects the unknown name %s', (name, remedy) => {
    expect(() => read({ stage: 'main', [name]: '' })).toThrow(remedy);
  });

  it.each([
    ['@aws-cdk/core:permissionsBoundary', 'Pass -c permissionsBoundary=...'],
    ['@aws-cdk/core:bootstrapQualifier', 'Pass -c qualifier=...'],
  ])("rejects the CDK's %s, for which a stage has its own name", (name, remedy) => {
    expect(() => read({ stage: 'main', [name]: '{"name":"boundary"}' })).toThrow(remedy);
  });

  it('accepts the names of the CDK', () => {
    const names = [
      'aws:cdk:bundling-stacks',
      '@aws-cdk/core:checkSecretUsage',
      'availability-zones:account=1:region=x',
      'cli-telemetry',
      'acknowledged-issue-numbers',
    ];
    expect(read(Object.fromEntries(names.map((name) => [name, 'x'])))).toStrictEqual({ stage: 'a-branch' });
  });

  it('counts an empty value as not set, and reads a number and a boolean of cdk.json as text', () => {
    const values = { stage: '', alarmEmail: '', requestsPerSecond: 5_000, firewall: true };
    expect(read(values)).toStrictEqual({ stage: 'a-branch', requestsPerSecond: '5000', firewall: 'true' });
  });

  it('is in the variables of a workflow, in capitals, except for the stage', () => {
    const variables = { CHECKOUT_URL: 'https://pay.example.com', FIREWALL: '', STAGE: 'x', AWS_REGION: 'y' };
    expect(contextFlags(JSON.stringify(variables))).toStrictEqual([
      '-c',
      'checkoutUrl=https://pay.example.com',
      '-c',
      'firewall=',
    ]);
  });
});
