import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW_MS } from '../../../support/clock.ts';
import { operate } from '../../../support/operators/operate.ts';

// No stand-in of AWS has several stacks.
const cloudFormation = mockClient(CloudFormationClient);

beforeEach(() => {
  cloudFormation.reset();
  vi.stubEnv('AWS_REGION', 'eu-west-1');
});

afterAll(() => {
  cloudFormation.restore();
  vi.unstubAllEnvs();
});

const DAY_MS = 86_400_000;

describe('stages list', () => {
  const stack = (StackName: string, days: number, changes: object = {}) => ({
    StackName,
    StackStatus: 'UPDATE_COMPLETE',
    CreationTime: new Date(NOW_MS - 100 * DAY_MS),
    LastUpdatedTime: new Date(NOW_MS - days * DAY_MS),
    ...changes,
  });

  it('has the stages alone, the longest unchanged first, with their costs', async () => {
    const named = (...names: string[]) => names.map((OutputKey) => ({ OutputKey, OutputValue: 'x' }));
    cloudFormation
      .on(DescribeStacksCommand, {})
      .resolves({
        Stacks: [stack('CartCheckout-prod', 1), stack('CDKToolkit', 90)] as never,
        NextToken: 'more',
      })
      .on(DescribeStacksCommand, { NextToken: 'more' })
      .resolves({
        Stacks: [
          stack('CartCheckout-old', 0, { LastUpdatedTime: undefined, StackStatus: 'DELETE_FAILED' }),
          stack('CartCheckout-pr-7', 12, { Outputs: named('HasCanary', 'DashboardName') }),
        ] as never,
      });
    const { exitCode, stdout } = await operate(['stages', 'list'], { now: () => NOW_MS });
    expect(exitCode).toBe(0);
    expect(stdout.split('\n')).toStrictEqual([
      'STAGE  STATE            CREATED (UTC)     CHANGED (UTC)     DAYS UNCHANGED  USD A MONTH, UNUSED',
      'old    DELETE_FAILED    2025-10-07 12:30  2025-10-07 12:30  100             4.64',
      'pr-7   UPDATE_COMPLETE  2025-10-07 12:30  2026-01-03 12:30  12              8.69',
      'prod   UPDATE_COMPLETE  2025-10-07 12:30  2026-01-14 12:30  1               22.65',
      '3 stages in eu-west-1: $35.98 a month, unused.',
      '',
    ]);
    const json = await operate(['stages', 'list', '--json'], { now: () => NOW_MS });
    expect(JSON.parse(json.stdout)).toMatchObject({
      region: 'eu-west-1',
      stages: [{ stage: 'old', unchangedDays: 100, usdPerMonth: 4.64 }, {}, {}],
    });
  });

  const DOWN = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const THROTTLED = Object.assign(new Error('Rate exceeded'), {
    name: 'Throttling',
    $fault: 'client',
    $metadata: {},
  });

  it.each([
    ['AWS does not respond: check the network, its proxies and AWS_REGION.', DOWN],
    ['AWS throttles the requests: try again in a minute.', THROTTLED],
  ])('blames no database: %s', async (sentence, error) => {
    cloudFormation.on(DescribeStacksCommand).rejects(error);
    expect(await operate(['stages', 'list'])).toMatchObject({ exitCode: 1, stderr: `${sentence}\n` });
  });
});
