import type { SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { API_ERRORS, type ApiErrorShape } from '../../../lib/http/errors.ts';
import { IDEMPOTENCY_SECRET_ID } from '../../../lib/carts/idempotency-secret.ts';
import type { ApiResponse } from '../../support/service.ts';
import { type Account, type Check, type CheckedStage, CHECKS } from './checks.ts';
import { runChecks } from './results.ts';
import { ROLE_CHECKS } from './role-checks.ts';

const ALL = [...CHECKS, ...ROLE_CHECKS];

const response = (status: number, body: object, headers = {}): ApiResponse =>
  ({ status, body, bodyText: JSON.stringify(body), headers }) as ApiResponse;

const gatewayError = ({ status, code, message }: ApiErrorShape): ApiResponse =>
  response(
    status,
    { code, message },
    { link: `<https://api/errors#${code}>; rel="help"`, 'retry-after': '1' },
  );

const NOT_FOUND = { status: 404, response: '{"code":"NOT_FOUND"}' };

/** A stage that behaves as each check expects. */
const STAGE = {
  outputs: { EventBusName: 'bus', SecretsTable: 'secrets', CartsTable: 'carts' },
  apiKey: 'key',
  endpointId: 'rejects',
  acceptingEndpointId: 'accepts',
  accept: async () => ({}),
  operate: async () => ({
    deliveries: [{ status: 'succeeded', attempts: [NOT_FOUND, NOT_FOUND, NOT_FOUND] }],
  }),
  client: {
    createCart: async (body: string) =>
      body.length > 1e6 ? gatewayError(API_ERRORS.payloadTooLarge) : response(201, { cart: { id: 'c' } }),
    getCart: async () => response(200, { status: 'completed' }, { 'x-ratelimit-limit': '100' }),
    send: async () => gatewayError(API_ERRORS.rateLimited),
  },
} as unknown as CheckedStage;

/** An account whose policy simulator denies these requests. */
const givenAccount = (denies: (request: SimulatePrincipalPolicyCommand['input']) => boolean) => {
  let version = 0;
  return {
    iam: {
      send: async ({ input }: SimulatePrincipalPolicyCommand) => ({
        EvaluationResults: [{ EvalDecision: denies(input) ? 'implicitDeny' : 'allowed' }],
      }),
    },
    lambda: { send: async () => ({ FunctionVersion: String((version += 1)) }) },
    resource: (id: string) => id,
    arnOf: (service: string, name: string) => `arn:${service}:${name}`,
    redeploy: async () => vi.setSystemTime(Date.now() + 400_000),
  } as unknown as Account;
};

const outcomesOf = async (checks: readonly Check[], stage: CheckedStage, account?: Account) => {
  const results = await runChecks(checks, stage, account, new AbortController().signal);
  return results.map(({ outcome, remark }) => `${outcome} ${remark}`.trim());
};

const named = (name: string): readonly Check[] => ALL.filter((check) => check.name.includes(name));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(console, 'error').mockReturnValue();
});

afterEach(() => void vi.useRealTimers());

it('every check of AWS passes on a stage that behaves', async () => {
  const outcomes = await outcomesOf(
    CHECKS,
    STAGE,
    givenAccount(() => false),
  );
  expect(outcomes.map((outcome) => outcome.split(' ')[0])).toStrictEqual(CHECKS.map(() => 'passed'));
});

it('on the emulator, the checks of AWS say so, and a failure does not stop the others', async () => {
  const accept = () => Promise.reject(new Error('2 tests failed\n1. ...'));
  const outcomes = await outcomesOf(CHECKS, { ...STAGE, accept, acceptingEndpointId: undefined });
  expect(outcomes).toStrictEqual([
    'FAILED 2 tests failed',
    'passed',
    'passed',
    'skipped: needs --receiver',
    ...CHECKS.slice(4).map(() => 'not checked by the emulator'),
  ]);
});

it('no check begins after a signal', async () => {
  expect(await runChecks(ALL, STAGE, undefined, AbortSignal.abort())).toStrictEqual([]);
});

it.each([
  ['throttles', { send: async () => response(404, {}) }, 'FAILED None of 200 requests was throttled'],
  ['throttles', { send: async () => gatewayError(API_ERRORS.forbidden) }, /^FAILED .*FORBIDDEN/],
  [
    'firewall',
    { createCart: async () => response(422, { code: 'VALIDATION_ERROR' }) },
    /^FAILED .*VALIDATION/,
  ],
])('a gateway that does not reject as it should fails its check: %s', async (name, client, outcome) => {
  const stage = { ...STAGE, client: { ...STAGE.client, ...client } } as CheckedStage;
  const [found] = await outcomesOf(
    named(name),
    stage,
    givenAccount(() => false),
  );
  expect(found).toMatch(outcome);
});

it.each([
  ['the old version', { lambda: { send: async () => ({ FunctionVersion: '1' }) } }],
  ['all traffic at once', { redeploy: async () => ({}) }],
])('a deployment that shifts the alias to %s fails the check of CodeDeploy', async (_what, changes) => {
  const account = { ...givenAccount(() => false), ...changes } as Account;
  const [found] = await outcomesOf(named('CodeDeploy'), STAGE, account);
  expect(found).toMatch(/^FAILED The (alias has|deployment took)/);
});

const hasKey = (name: string, value: string) => (input: SimulatePrincipalPolicyCommand['input']) =>
  (input.ContextEntries ?? []).some(
    ({ ContextKeyName, ContextKeyValues }) => ContextKeyName === name && ContextKeyValues?.[0] === value,
  );

it.each([
  ['deliver-webhooks may not read', hasKey('dynamodb:LeadingKeys', IDEMPOTENCY_SECRET_ID)],
  ['deliver-webhooks may not send', hasKey('events:detail-type', 'cart.completed')],
  ['sandbox-checkout may not read', ({ ResourceArns }) => ResourceArns?.[0] === 'arn:dynamodb:table/carts'],
] as [string, Parameters<typeof givenAccount>[0]][])(
  'a role passes if the simulator denies the one call, and no needed one: %s',
  async (name, denies) => {
    const simulated: (string | undefined)[] = [];
    const account = givenAccount((input) => {
      simulated.push(input.PolicySourceArn);
      return denies(input);
    });
    expect(await outcomesOf(named(name), STAGE, account)).toStrictEqual([
      `passed ${simulated.length - 1} needed calls are permitted`,
    ]);
    expect(new Set(simulated).size).toBe(1);
    const [permitted] = await outcomesOf(
      named(name),
      STAGE,
      givenAccount(() => false),
    );
    expect(permitted).toBe('FAILED It may');
    const [denied] = await outcomesOf(
      named(name),
      STAGE,
      givenAccount(() => true),
    );
    expect(denied).toMatch(/^FAILED It lacks /);
  },
);
