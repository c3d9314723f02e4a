import { describe, expect, test } from 'vitest';
import { BRANCH_CONTEXT, FULL_CONTEXT, PRODUCTION_CONTEXT } from '../../infra/example-stages/contexts.ts';
import { RELEASE } from '../../infra/example-stages/synthesise.ts';
import { type Release, UNKNOWN } from '../../infra/stage/release.ts';
import { stageConfig } from '../../infra/stage/stage-config.ts';
import type { StageContext } from '../../infra/stage/stage-context.ts';
import {
  effectiveValue,
  type StageValues,
  VALUE_NAMES,
  type ValueName,
} from '../../infra/stage/stage-values.ts';
import { check, type Deployed, lossesOf, valuesOf } from '../support/deploy/keep-values.ts';

/** Every value of `prod` with another than its default. */
const SET: StageContext = {
  ...FULL_CONTEXT,
  ...PRODUCTION_CONTEXT,
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
    const losses = lossesOf(valuesOf(SET), valuesOf(PRODUCTION_CONTEXT));
    // `SET` has a firewall, and the address of API Gateway besides its domain. So has `PRODUCTION_CONTEXT`.
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
    expect(
      lossesOf(valuesOf(FULL_CONTEXT), valuesOf({ stage: FULL_CONTEXT.stage }), FULL_CONTEXT.stage),
    ).toStrictEqual([]);
    expect(lossesOf(valuesOf(BRANCH_CONTEXT), valuesOf(BRANCH_CONTEXT), BRANCH_CONTEXT.stage)).toStrictEqual(
      [],
    );
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
    const first = { ...PRODUCTION_CONTEXT, protected: 'false', rollout: 'all-at-once' };
    expect(lossesOf(valuesOf(first), valuesOf(PRODUCTION_CONTEXT))).toStrictEqual([]);
  });
});

test('a declaration of a loss cannot stay until the stage has the value again', () => {
  const again = valuesOf({ ...SET, drop: 'personalDataDays=3650' });
  expect(check(valuesOf({ ...SET, personalDataDays: '730' }), again)).toMatchObject({
    status: 1,
    stderr:
      '::error::The deployment states what it declares as lost. Remove it from "drop": ["personalDataDays=3650"]\n',
  });
});

test('an artifact cannot write a line of its own into the output', () => {
  const planned = valuesOf(PRODUCTION_CONTEXT);
  const hostile = { ...planned, given: { ...planned.given, docsUrl: 'x\n::stop-commands::y' } };
  const { stdout } = check(valuesOf(PRODUCTION_CONTEXT), hostile);
  expect(stdout).toBe(
    'The deployment loses no value of CartCheckout-prod.\n  docsUrl=none would become x?::stop-commands::y\n',
  );
});

test('a default that another release changes is seen, unless the deployment states the value', () => {
  const { default: values, ...others } = valuesOf(PRODUCTION_CONTEXT);
  const earlier = { ...others, default: { ...values, personalDataDays: '700', dailyBudgetUsd: '200' } };
  expect(lossesOf(earlier, valuesOf(PRODUCTION_CONTEXT))).toStrictEqual([
    'personalDataDays',
    'dailyBudgetUsd',
  ]);
  const stated = { ...PRODUCTION_CONTEXT, personalDataDays: '700', dailyBudgetUsd: '200' };
  expect(lossesOf(earlier, valuesOf(stated))).toStrictEqual([]);
});

describe('values that the commit of the deployment does not know', () => {
  const planned = (rollback: string, drop?: string) => valuesOf({ ...PRODUCTION_CONTEXT, rollback, drop });
  const later = (given: Readonly<Record<string, string>>) => {
    const values = valuesOf(PRODUCTION_CONTEXT);
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
    const deployed = valuesOf({ ...PRODUCTION_CONTEXT, dashboard: 'false' });
    const { status, stdout } = check(deployed, earlier('true'));
    expect({ status, stdout }).toStrictEqual({
      status: 0,
      stdout: expect.stringContaining('  dashboard=false would become unknown to this commit\n'),
    });
    expect(lossesOf(deployed, earlier('false'))).toStrictEqual(['dashboard']);
  });

  test('are no loss if the later release had them by default', () => {
    expect(lossesOf(valuesOf(PRODUCTION_CONTEXT), earlier('false'))).toStrictEqual([]);
  });
});

describe('a commit that is before the one that the stage runs', () => {
  const earlier: Release = { ...RELEASE, commit: '0'.repeat(40), committedAt: '2026-11-20T13:59:59.000Z' };
  const unknown: Release = { ...RELEASE, commit: UNKNOWN, committedAt: UNKNOWN };
  const values = (rollback: string) => valuesOf({ ...PRODUCTION_CONTEXT, rollback });
  const deploy = (running: Release, next: Release, rollback = 'false') =>
    check(values('false'), values(rollback), { running, next });

  test.each([
    ['of an earlier time', earlier],
    ['without a time', unknown],
  ])('is rejected, unless it declares the roll-back: %s', (_what, next) => {
    const { status, stdout, stderr } = deploy(RELEASE, next);
    expect({ status, stdout }).toStrictEqual({ status: 1, stdout: '' });
    const ofRelease = ({ commit, committedAt }: Release) => `the commit ${commit} of ${committedAt}`;
    expect(stderr).toContain(
      `::error::CartCheckout-prod runs ${ofRelease(RELEASE)}, which is later than ${ofRelease(next)}. `,
    );
    expect(deploy(RELEASE, next, 'true')).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([
    ['a later one', earlier, RELEASE],
    ['the same one, with changes', RELEASE, { ...RELEASE, commit: `${RELEASE.commit}-dirty` }],
    ['any, if the stage has no time', unknown, earlier],
    ['none, like the stage', unknown, unknown],
  ])('is not %s', (_what, running, next) => {
    expect(deploy(running, next)).toMatchObject({ status: 0, stderr: '' });
  });

  test('is admitted on a stage that keeps no data', () => {
    const { stage } = BRANCH_CONTEXT;
    expect(check(valuesOf(BRANCH_CONTEXT), valuesOf(BRANCH_CONTEXT), { stage, next: earlier })).toMatchObject(
      { status: 0 },
    );
  });

  test('cannot write a line of its own into the output', () => {
    const { stderr } = deploy(RELEASE, { ...earlier, commit: 'x\n::stop-commands::y' });
    expect(stderr).toContain('than the commit x?::stop-commands::y of ');
  });
});

test('no deployment is admitted while another one runs', () => {
  const status = 'UPDATE_IN_PROGRESS';
  const rollBack = valuesOf({ ...PRODUCTION_CONTEXT, rollback: 'true' });
  expect(check(valuesOf(PRODUCTION_CONTEXT), rollBack, { status })).toStrictEqual({
    status: 1,
    stdout: '',
    stderr: `::error::CartCheckout-prod has the status ${status}. Wait until it is complete, and deploy again.\n`,
  });
});

describe('without values on one side', () => {
  test('an artifact is rejected if the stage has some', () => {
    expect(check(valuesOf(PRODUCTION_CONTEXT), undefined)).toMatchObject({
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
    expect(check(deployed, valuesOf(PRODUCTION_CONTEXT))).toMatchObject({ status: 0, stderr: '' });
  });

  test.each(['Could not connect to the endpoint', 'The profile x does not exist'])(
    'a stack that cannot be read admits no deployment: %s',
    (error) => {
      const { status, stderr } = check({ error }, valuesOf(PRODUCTION_CONTEXT));
      expect({ status, stderr }).toStrictEqual({ status: 1, stderr: `::error::${error}\n` });
    },
  );
});
