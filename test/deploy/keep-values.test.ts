import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StageContext } from '../../infra/stage/stage-context.ts';
import { stageConfig } from '../../infra/stage/stage-config.ts';
import {
  effectiveValue,
  type StageValues,
  stageValues,
  VALUE_NAMES,
  type ValueName,
} from '../../infra/stage/stage-values.ts';
import { BRANCH, FULL, PRODUCTION } from '../infra/stack/template.ts';

const CHECK = resolve('.github/actions/keep-values/check.sh');

const valuesOf = (context: StageContext): StageValues => stageValues(context, stageConfig(context));

/** The response of CloudFormation: the values of a stack, one that has none, or why there is none. */
type Deployed = StageValues | 'without values' | { readonly error: string };

const responseOf = (deployed: Exclude<Deployed, { error: string }>): string => {
  const Outputs = [{ OutputKey: 'BaseUrl', OutputValue: 'https://api.example.com/' }];
  if (deployed !== 'without values')
    Outputs.push({ OutputKey: 'StageValues', OutputValue: JSON.stringify(deployed) });
  return JSON.stringify({ Stacks: [{ Outputs }] });
};

/** Checks the deployment of an artifact with these values over a stack. Stands in for the AWS CLI. */
const check = (deployed: Deployed, planned: StageValues | undefined, stage = 'prod') => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-values-'));
  const stack = `CartCheckout-${stage}`;
  const write = (name: string, json: object): void => writeFileSync(join(folder, name), JSON.stringify(json));
  mkdirSync(join(folder, 'cdk.out'));
  write('cdk.out/manifest.json', { artifacts: { Tree: {}, [stack]: { type: 'aws:cloudformation:stack' } } });
  const Outputs = planned && { StageValues: { Value: JSON.stringify(planned) } };
  write(`cdk.out/${stack}.template.json`, { Outputs });
  const isError = typeof deployed === 'object' && 'error' in deployed;
  writeFileSync(join(folder, 'response'), isError ? deployed.error : responseOf(deployed));
  const standIn = `#!/bin/sh\n[ "$*" = 'cloudformation describe-stacks --stack-name ${stack} --output json' ] || exit 9\n`;
  writeFileSync(
    join(folder, 'aws'),
    `${standIn}${isError ? 'cat response >&2; exit 254' : 'cat response'}\n`,
    {
      mode: 0o755,
    },
  );
  const PATH = [folder, '/usr/bin', '/bin'].join(delimiter);
  const { status, stdout, stderr } = spawnSync('bash', [CHECK], {
    cwd: folder,
    env: { PATH },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

/** The names that a deployment would lose. Empty if the check admits it. */
const lossesOf = (deployed: Deployed, planned: StageValues | undefined, stage?: string): string[] => {
  const { status, stdout, stderr } = check(deployed, planned, stage);
  const losses = Array.from(stderr.matchAll(/^ {2}(\w+)=.* would become /gm), ([, name]) => name ?? '');
  expect({ status, stdout, stderr }).toStrictEqual(
    losses.length === 0
      ? { status: 0, stdout: expect.stringMatching(/^The deployment loses no value of /), stderr: '' }
      : {
          status: 1,
          stdout: '',
          stderr: expect.stringMatching(/^::error::The deployment would lose values of /),
        },
  );
  return losses;
};

/** Every value of `prod` with another than its default. */
const SET: StageContext = {
  ...FULL,
  ...PRODUCTION,
  defaultEndpoint: 'true',
  cartExpiryMinutes: '60',
  personalDataDays: '3650',
  canary: 'false',
  dashboard: 'false',
  webhookLoopback: undefined,
};

/** Values that need another one: without it, the synthesis fails. */
const NEEDED_BY: Readonly<Partial<Record<ValueName, readonly ValueName[]>>> = {
  domain: ['certificateArn', 'hostedZoneId', 'defaultEndpoint'],
  paymentRoleArn: ['operatorRoleArn'],
};

/** `prod` has no loopback webhooks, protection only grows, and each deployment chooses its rollout. */
const WITHOUT_LOSS: readonly ValueName[] = ['webhookLoopback', 'protected', 'rollout'];

/** Without them, nothing is synthesised. */
const REQUIRED: readonly ValueName[] = ['checkoutUrl', 'alarmEmail', 'certificateArn'];

/** `prod` has a firewall by default. A stage without one allows no networks. */
const setFor = (name: ValueName): StageContext =>
  name === 'firewall' ? { ...SET, firewall: 'false', firewallAllow: undefined } : SET;

/** A context without a value, and without those that need it. */
const without = (context: StageContext, name: ValueName): StageContext => {
  const dropped = [name, ...(NEEDED_BY[name] ?? [])].map((each) => [each, undefined]);
  return { ...context, ...Object.fromEntries(dropped) };
};

const DROPPED = VALUE_NAMES.filter((name) => ![...WITHOUT_LOSS, ...REQUIRED].includes(name));

describe('a deployment without a value that the stage has', () => {
  test.each(DROPPED)('is rejected: %s', (name) => {
    const [before, after] = [setFor(name), without(setFor(name), name)];
    const [was, is] = [before, after].map((context) => effectiveValue(stageConfig(context), name));
    expect(was).not.toBe(is);
    expect(lossesOf(valuesOf(before), valuesOf(after))).toContain(name);
    const { stderr } = check(valuesOf(before), valuesOf(after));
    expect(stderr).toContain(`  ${name}=${was} would become ${is}\n`);
    const [, declared = ''] = /^ {2}"drop": (\[.*\])$/m.exec(stderr) ?? [];
    expect(lossesOf(valuesOf(before), valuesOf({ ...after, drop: declared }))).toStrictEqual([]);
  });

  test.each(REQUIRED)('is not even synthesised: %s', (name) => {
    expect(() => valuesOf(without(SET, name))).toThrow(name);
  });

  test('is rejected for all of them at once', () => {
    const losses = lossesOf(valuesOf(SET), valuesOf(PRODUCTION));
    // `SET` has a firewall, and the address of API Gateway besides its domain. So has `PRODUCTION`.
    const expected = new Set<string>([...DROPPED, 'certificateArn']);
    for (const kept of ['firewall', 'defaultEndpoint']) expected.delete(kept);
    expect(new Set(losses)).toStrictEqual(expected);
  });

  test('is admitted if it has them all', () => {
    expect(check(valuesOf(SET), valuesOf(SET))).toStrictEqual({
      status: 0,
      stdout: 'The deployment loses no value of CartCheckout-prod.\n',
      stderr: '',
    });
  });

  test('is admitted on a stage that keeps no data', () => {
    expect(lossesOf(valuesOf(FULL), valuesOf({ stage: FULL.stage }), FULL.stage)).toStrictEqual([]);
    expect(lossesOf(valuesOf(BRANCH), valuesOf(BRANCH), BRANCH.stage)).toStrictEqual([]);
  });
});

describe('a value that the deployment states', () => {
  const changed = (name: ValueName, is: string, drop?: string): string[] =>
    lossesOf(valuesOf(SET), valuesOf({ ...SET, [name]: is, drop }));

  test.each<[ValueName, string]>([
    ['personalDataDays', '365'],
    ['requestsPerSecond', '999'],
    ['reservedConcurrency', '0'],
    ['protected', 'false'],
    ['alarmEmail', 'none'],
    ['firewallAllow', '203.0.113.0/24'],
    ['tags', 'team=shop,cost-centre=43'],
  ])('may not become less: %s=%s', (name, is) => {
    const was = effectiveValue(stageConfig(SET), name);
    expect(changed(name, is)).toStrictEqual([name]);
    expect(changed(name, is, `${name}=${is}`)).toStrictEqual([name]);
    expect(changed(name, is, `${name}=${was}`)).toStrictEqual([]);
  });

  test.each<[ValueName, string]>([
    ['cartExpiryMinutes', '600'],
    ['canary', 'true'],
    ['checkoutUrl', 'https://pay2.example.com'],
    ['firewallAllow', '2001:db8::/32,203.0.113.0/24,198.51.100.0/24'],
    ['rollout', 'all-at-once'],
  ])('may become more, or another: %s=%s', (name, is) => {
    expect(changed(name, is)).toStrictEqual([]);
  });

  test('may end the exception of a first deployment or of an urgent release without a word', () => {
    const first = { ...PRODUCTION, protected: 'false', rollout: 'all-at-once' };
    expect(lossesOf(valuesOf(first), valuesOf(PRODUCTION))).toStrictEqual([]);
  });
});

test('an artifact cannot write a line of its own into the output', () => {
  const planned = valuesOf(PRODUCTION);
  const hostile = { ...planned, given: { ...planned.given, docsUrl: 'x\n::stop-commands::y' } };
  const { stdout } = check(valuesOf(PRODUCTION), hostile);
  expect(stdout).toBe(
    'The deployment loses no value of CartCheckout-prod.\n  docsUrl=none would become x?::stop-commands::y\n',
  );
});

test('a default that another release changes is seen, unless the deployment states the value', () => {
  const { default: values, ...others } = valuesOf(PRODUCTION);
  const earlier = { ...others, default: { ...values, personalDataDays: '700', dailyBudgetUsd: '200' } };
  expect(lossesOf(earlier, valuesOf(PRODUCTION))).toStrictEqual(['personalDataDays', 'dailyBudgetUsd']);
  const stated = { ...PRODUCTION, personalDataDays: '700', dailyBudgetUsd: '200' };
  expect(lossesOf(earlier, valuesOf(stated))).toStrictEqual([]);
});

describe('values that the commit of the deployment does not know', () => {
  const planned = (rollback: string, drop?: string) => valuesOf({ ...PRODUCTION, rollback, drop });
  const later = (given: Readonly<Record<string, string>>) => {
    const values = valuesOf(PRODUCTION);
    return { ...values, given: { ...values.given, ...given } };
  };
  /** An earlier release, which does not know the dashboard yet. */
  const earlier = (rollback: string): StageValues => {
    const { dashboard: _, ...values } = planned(rollback).default;
    return { ...planned(rollback), default: values };
  };

  test('are lost if one may protect data or money, unless it is declared', () => {
    expect(lossesOf(later({ boundary: 'team' }), planned('true'))).toStrictEqual(['boundary']);
    expect(lossesOf(later({ boundary: 'team' }), planned('false'))).toStrictEqual(['boundary']);
    expect(lossesOf(later({ boundary: 'team' }), planned('true', 'boundary=team'))).toStrictEqual([]);
  });

  test('are named by a roll-back if they protect nothing, and rejected in any other deployment', () => {
    const deployed = valuesOf({ ...PRODUCTION, dashboard: 'false' });
    const { status, stdout } = check(deployed, earlier('true'));
    expect({ status, stdout }).toStrictEqual({
      status: 0,
      stdout: expect.stringContaining('  dashboard=false would become unknown to this commit\n'),
    });
    expect(lossesOf(deployed, earlier('false'))).toStrictEqual(['dashboard']);
  });

  test('are no loss if the later release had them by default', () => {
    expect(lossesOf(valuesOf(PRODUCTION), earlier('false'))).toStrictEqual([]);
  });
});

describe('without values on one side', () => {
  test('an artifact is rejected if the stage has some', () => {
    expect(check(valuesOf(PRODUCTION), undefined)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^::error::The artifact does not state its values, but CartCheckout-prod has some/,
      ),
    });
    expect(check('without values', undefined)).toMatchObject({ status: 0 });
  });

  test.each<[string, Deployed]>([
    ['a stack that has none', 'without values'],
    ['no stack', { error: 'Stack with id CartCheckout-prod does not exist' }],
  ])('%s has none to lose', (_what, deployed) => {
    expect(check(deployed, valuesOf(PRODUCTION))).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['Could not connect to the endpoint', 'The profile x does not exist'])(
    'a stack that cannot be read admits no deployment: %s',
    (error) => {
      const { status, stderr } = check({ error }, valuesOf(PRODUCTION));
      expect({ status, stderr }).toStrictEqual({ status: 1, stderr: `::error::${error}\n` });
    },
  );
});
