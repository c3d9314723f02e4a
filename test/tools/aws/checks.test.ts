import type { SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { beforeEach, expect, it, vi } from 'vitest';
import { IDEMPOTENCY_SECRET_IDS } from '../../../lib/carts/idempotency-secret.ts';
import { API_ERRORS, type ApiErrorShape } from '../../../lib/http/errors.ts';
import { type Account, type CheckedStage, CHECKS } from './checks.ts';
import { runChecks } from './results.ts';
import { ROLE_CHECKS } from './role-checks.ts';

const response =
  (status: number, body: object, headers = {}) =>
  async () => ({ status, body, bodyText: JSON.stringify(body), headers });

const gatewayError = ({ status, code, message }: ApiErrorShape) =>
  response(status, { code, message }, { 'retry-after': '1' });

const client = {
  createCart: (body: string) =>
    body.length > 1e6 ? gatewayError(API_ERRORS.payloadTooLarge)() : response(201, { cart: { id: 'c' } })(),
  getCart: response(200, { status: 'completed' }, { 'x-ratelimit-limit': '100' }),
  send: (_method: string, path: string) => {
    if (path.length > 1_400) return gatewayError(API_ERRORS.pathTooLong)();
    return gatewayError(path.endsWith('/events') ? API_ERRORS.functionFailed : API_ERRORS.rateLimited)();
  },
};

type Denies = (request: SimulatePrincipalPolicyCommand['input']) => boolean;

/** A stage that behaves as the checks expect, in an account whose policy simulator denies some requests. */
const givenStage = (denies: Denies, changes: object = {}): CheckedStage => {
  let FunctionVersion = 1;
  const simulate = async ({ input }: SimulatePrincipalPolicyCommand) => ({
    EvaluationResults: [{ EvalDecision: denies(input) ? 'implicitDeny' : 'allowed' }],
  });
  const account = {
    iam: { send: simulate },
    lambda: { send: async () => ({ FunctionVersion, LastUpdateStatus: 'Successful' }) },
    resource: (id) => id,
    arnOf: (service, name) => `${service}:${name}`,
    redeploy: async () => (FunctionVersion += 1),
  } as Account;
  const attempt = { status: 404, response: '{"code":"NOT_FOUND"}' };
  const deliveries = [{ status: 'succeeded', attempts: [attempt, attempt, attempt] }];
  const outputs = { CartsTable: 'carts' };
  const operate = async () => ({ deliveries });
  const stage = { outputs, operate, client, account, accept: operate, acceptingEndpointId: 'we', ...changes };
  return stage as unknown as CheckedStage;
};

const ALLOW_ALL: Denies = () => false;

const outcomesOf = async (stage: CheckedStage, name = '') => {
  const checks = (name === '' ? CHECKS : ROLE_CHECKS).filter((check) => check.name.includes(name));
  const results = await runChecks(checks, stage, new AbortController().signal);
  return results.map(({ outcome, remark }) => `${outcome} ${remark}`.trim());
};

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

it('every check passes on a stage in an account that behaves', async () => {
  const outcomes = await outcomesOf(givenStage(ALLOW_ALL));
  expect(outcomes.filter((outcome) => !outcome.startsWith('passed'))).toStrictEqual([]);
});

it('the emulator says what it does not check, and a failure does not stop other checks', async () => {
  const accept = () => Promise.reject(new Error('2 tests failed\n1. ...'));
  const changes = { account: undefined, acceptingEndpointId: undefined, accept };
  const notChecked = CHECKS.slice(4).map(() => 'not checked by the emulator');
  expect(await outcomesOf(givenStage(ALLOW_ALL, changes))).toStrictEqual([
    'FAILED 2 tests failed',
    'passed',
    'passed',
    'skipped: needs --receiver',
    ...notChecked,
  ]);
});

it('no check begins after a signal', async () => {
  expect(await runChecks(CHECKS, givenStage(ALLOW_ALL), AbortSignal.abort())).toStrictEqual([]);
});

/** The client, with another response to requests whose path has this start. */
const sendsAt = (start: string, respond: () => unknown) => ({
  send: (method: string, path: string) => (path.startsWith(start) ? respond() : client.send(method, path)),
});

it.each([
  ['no throttle', sendsAt('/nothing', response(404, {})), ['None of 200 requests was throttled']],
  ['another error', sendsAt('/nothing', gatewayError(API_ERRORS.forbidden)), [expect.any(String)]],
  ['no authorisation', sendsAt('/internal', response(200, {})), ['The response has the status 200']],
  ['a 404 for a long path', sendsAt('/xxx', response(404, {})), [expect.any(String)]],
  ['a 500 for a crash', sendsAt('/api', gatewayError(API_ERRORS.internal)), [expect.any(String)]],
  [
    'no limit of bodies',
    { createCart: response(201, { cart: { id: 'c' } }) },
    [expect.any(String), expect.any(String)],
  ],
])('a gateway with %s fails a check', async (_what, changes, remarks) => {
  const stage = givenStage(ALLOW_ALL, { client: { ...client, ...changes } });
  const results = await runChecks(CHECKS, stage, new AbortController().signal);
  const failed = results.filter(({ outcome }) => outcome === 'FAILED');
  expect(failed.map(({ remark }) => remark)).toStrictEqual(remarks);
});

const hasKey =
  (value: string): Denies =>
  ({ ContextEntries = [] }) =>
    ContextEntries.some(({ ContextKeyValues = [] }) => ContextKeyValues.includes(value));

it.each<[string, Denies]>([
  ['deliver-webhooks may not read', hasKey(IDEMPOTENCY_SECRET_IDS.carts)],
  ['deliver-webhooks may not send', hasKey('cart.completed')],
  ['run-due may not change', hasKey('url')],
  ['sandbox-checkout may not read', ({ ResourceArns = [] }) => ResourceArns.includes('dynamodb:table/carts')],
])('a role passes if AWS denies that call, and permits those that it needs: %s', async (name, denies) => {
  const [passed] = await outcomesOf(givenStage(denies), name);
  expect(passed).toMatch(/^passed [1-9]\d* needed calls are permitted$/);
  expect(await outcomesOf(givenStage(ALLOW_ALL), name)).toStrictEqual(['FAILED It may']);
  expect(
    await outcomesOf(
      givenStage(() => true),
      name,
    ),
  ).toStrictEqual([expect.stringMatching(/^FAILED It lacks /)]);
});
