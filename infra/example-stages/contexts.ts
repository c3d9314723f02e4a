import type { StageContext } from '../stage/stage-context.ts';

/** The context of a branch: every default. */
export const BRANCH_CONTEXT: StageContext = { stage: 'my-branch' };

/** The smallest context of production. */
export const PRODUCTION_CONTEXT: StageContext = {
  stage: 'prod',
  checkoutUrl: 'https://pay.example.com',
  alarmEmail: 'ops@example.com',
};

/** Only production can be protected. The others are about one deployment. */
type NoOption = 'protected' | 'drop' | 'rollback';

/** The context of a stage with every option. */
export const FULL_CONTEXT = {
  stage: 'full',
  checkoutUrl: 'https://pay.example.com',
  domain: 'full.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/full',
  hostedZoneId: 'Z0123456789ABC',
  defaultEndpoint: 'false',
  docsUrl: 'https://docs.example.com/carts',
  requestsPerSecond: '5000',
  firewall: 'true',
  firewallAllow: '203.0.113.0/24,2001:db8::/32',
  cartExpiryMinutes: '60',
  personalDataDays: '90',
  budgetScope: 'stage',
  dailyBudgetUsd: '50',
  tags: 'team=shop,cost-centre=42',
  liveRequestsPerHour: '600',
  reservedConcurrency: '400',
  canary: 'true',
  dashboard: 'true',
  sandbox: 'false',
  webhookLoopback: 'true',
  alarmEmail: 'ops@example.com',
  paymentSource: 'acme.payments',
  paymentRoleArn: 'arn:aws:iam::111111111111:role/payments',
  operatorRoleArn: 'arn:aws:iam::222222222222:role/team/operators',
  permissionsBoundary: 'team/boundary',
  qualifier: 'shop1',
  rollout: 'in-steps',
} as const satisfies Required<Omit<StageContext, NoOption>>;
