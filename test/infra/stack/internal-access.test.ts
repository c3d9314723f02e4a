import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ALL_OPERATIONS } from '../../../functions/operations.ts';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal: unknown;
  readonly Action: string;
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

interface Request {
  readonly stage: string;
  readonly method: string;
  readonly path: string;
  /** The `aws:PrincipalArn` of a signed request. API Gateway knows none for a method without authorisation. */
  readonly principal?: string | undefined;
}

const PRINCIPAL_ARN = 'aws:PrincipalArn';

/** The operators of conditions that the policy uses, as IAM evaluates them for a key that may be absent. */
const OPERATORS: Readonly<Record<string, (expected: string, actual: string | undefined) => boolean>> = {
  ArnNotEquals: (expected, actual) => actual !== expected,
  Null: (expected, actual) => expected === String(actual === undefined),
};

const isMet = (condition: Statement['Condition'] = {}, principal: string | undefined): boolean =>
  Object.entries(condition).every(([operator, keys]) => {
    expect(Object.keys(keys)).toStrictEqual([PRINCIPAL_ARN]);
    return OPERATORS[operator]!(keys[PRINCIPAL_ARN]!, principal);
  });

/** Whether a pattern of IAM matches a resource. An asterisk also matches slashes. */
const isResource = (pattern: string, resource: string): boolean =>
  new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(resource);

/** The resource policy of a stage. */
const policyOf = (template: Template): readonly Statement[] => {
  const [api] = Object.values(template.findResources('AWS::ApiGateway::RestApi')) as {
    Properties: { Policy: { Statement: Statement[] } };
  }[];
  return api!.Properties.Policy.Statement;
};

/** The decision of a policy on a request: a denial takes precedence over a permission. */
const passes = (policy: readonly Statement[], { stage, method, path, principal }: Request): boolean => {
  const effects = new Set<string>();
  for (const statement of policy) {
    expect([statement.Principal, statement.Action]).toStrictEqual(['*', 'execute-api:Invoke']);
    const isMatch = [statement.Resource]
      .flat()
      .some((pattern) => isResource(pattern, `execute-api:/${stage}/${method}${path}`));
    if (isMatch && isMet(statement.Condition, principal)) effects.add(statement.Effect);
  }
  return effects.has('Allow') && !effects.has('Deny');
};

const PAYMENTS = 'arn:aws:iam::111111111111:role/payments';
const STRANGERS = [
  'arn:aws:iam::111111111111:role/administrator',
  'arn:aws:iam::111111111111:role/payments2',
  'arn:aws:iam::111111111111:user/payments',
  'arn:aws:iam::999999999999:role/payments',
  'arn:aws:iam::222222222222:role/team/operators',
];

const STAGES = ['full', 'test-invoke-stage', 'another'];
const METHODS = ['GET', 'POST', 'OPTIONS'];

/** Spellings of an internal path. A gateway or a proxy may treat some of them as the same path. */
const SPELLINGS = [
  '/internal/v1/carts/5e2b',
  '/internal/v1/carts/5e2b/',
  '/internal/',
  '//internal/v1/carts/5e2b',
  '/./internal/v1/carts/5e2b',
  '/api/../internal/v1/carts/5e2b',
  '/Internal/v1/carts/5e2b',
  '/INTERNAL/V1/CARTS/5e2b',
  '/%69nternal/v1/carts/5e2b',
  '/internal%2Fv1/carts/5e2b',
];

const PUBLIC_PATHS = [
  '/',
  '/api/v1/stores/cart/checkout',
  '/api/v1/stores/cart/internal',
  '/internal',
  '/internals/x',
  '/unknown',
];

const requests = (paths: readonly string[], principals: readonly (string | undefined)[]): Request[] =>
  STAGES.flatMap((stage) =>
    METHODS.flatMap((method) =>
      paths.flatMap((path) => principals.map((principal) => ({ stage, method, path, principal }))),
    ),
  );

const passing = (template: Template, all: readonly Request[]): Request[] => {
  const policy = policyOf(template);
  return all.filter((request) => passes(policy, request));
};

describe("the platform's own operations", () => {
  it('require a signature, and no other operation does', () => {
    const methods = fullStage().template.findResources('AWS::ApiGateway::Method');
    const signed = Object.entries(methods).filter(
      ([, method]) =>
        (method as { Properties: { AuthorizationType: string } }).Properties.AuthorizationType !== 'NONE',
    );
    expect(signed).toHaveLength(ALL_OPERATIONS.filter(({ caller }) => caller === 'platform').length);
    for (const [id, method] of signed) {
      // Its function also serves a route of merchants.
      expect(id).toMatch(/^GatewayApiinternalv1cartscartIdGET/);
      expect(method).toMatchObject({ Properties: { AuthorizationType: 'AWS_IAM', HttpMethod: 'GET' } });
    }
    for (const { caller, path } of ALL_OPERATIONS)
      expect(caller === 'platform').toBe(path.startsWith('/internal/'));
  });

  it('may be called by the role of the payment side, in each spelling', () => {
    const all = requests(SPELLINGS, [PAYMENTS]);
    expect(passing(fullStage().template, all)).toStrictEqual(all);
  });

  it('may not be called with another signature, in any spelling, method or stage', () => {
    expect(passing(fullStage().template, requests(SPELLINGS, STRANGERS))).toStrictEqual([]);
  });

  it('may not be called without a signature: each path of theirs is denied', () => {
    const paths = ['/internal/', '/internal/v1/carts/5e2b', '/internal/v2/x/y'];
    expect(passing(fullStage().template, requests(paths, [undefined]))).toStrictEqual([]);
  });

  it('may be called by nobody in a stage without a role of the payment side', () => {
    for (const { template } of [branchStage(), productionStage()]) {
      expect(passing(template, requests(SPELLINGS, [PAYMENTS, ...STRANGERS]))).toStrictEqual([]);
      expect(passing(template, requests(['/internal/v1/x'], [undefined]))).toStrictEqual([]);
    }
  });

  it('are the only ones that are restricted: everybody may call all other paths', () => {
    const all = requests(PUBLIC_PATHS, [undefined]);
    for (const { template } of [branchStage(), fullStage()])
      expect(passing(template, all)).toStrictEqual(all);
  });
});
