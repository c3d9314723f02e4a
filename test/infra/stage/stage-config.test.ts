import { describe, expect, it } from 'vitest';
import { PRODUCTION_CONTEXT } from '../../../infra/example-stages/contexts.ts';
import { RESERVED_CONCURRENCY } from '../../../infra/stage/concurrency.ts';
import { stageConfig } from '../../../infra/stage/stage-config.ts';
import type { StageContext } from '../../../infra/stage/stage-context.ts';
import { keyLimitsMax } from '../../../infra/stage/throttle.ts';

describe('the configuration of a stage', () => {
  it('retains data in production only', () => {
    const liveCheckoutUrl = 'https://pay.example.com';
    const production = { stage: 'prod', checkoutUrl: liveCheckoutUrl, alarmEmail: 'none' };
    expect(stageConfig(production)).toMatchObject({ retainsData: true, liveCheckoutUrl });
    expect(stageConfig({ stage: 'main' }).retainsData).toBe(false);
  });

  it('requires the address of the payment page in production', () => {
    expect(() => stageConfig({ stage: 'prod' })).toThrow(
      'The stage prod takes real payments. Set the address of the payment page with -c checkoutUrl=https://...',
    );
  });

  it('requires https in production', () => {
    const checkoutUrl = 'http://pay.example.com';
    expect(() => stageConfig({ stage: 'prod', alarmEmail: 'none', checkoutUrl })).toThrow(
      'The checkoutUrl of prod must begin with https://, because buyers pay there.',
    );
    expect(stageConfig({ stage: 'main', checkoutUrl }).liveCheckoutUrl).toBe(checkoutUrl);
  });

  it.each(['production', 'PROD', 'Prod', 'prod-', 'prod-eu', 'prod2', ' prod', 'prd', 'PRODUCTION', 'live'])(
    'rejects a name that looks like production, and names production: %j',
    (stage) => {
      expect(() => stageConfig({ stage, checkoutUrl: 'https://pay.example.com' })).toThrow(
        `The stage ${JSON.stringify(stage)} is not production, but its name looks like it. ` +
          'Pass -c stage=prod for production, or -c stage=... with another name.',
      );
    },
  );

  it.each(['products-import', 'fix/production-alarm', 'pre-prod', 'delivery', 'pr-12'])(
    'accepts a name that does not begin with a word for production: %s',
    (stage) => {
      expect(stageConfig({ stage }).retainsData).toBe(false);
    },
  );

  it.each(['pay.example.com', 'https://pay.example.com/', 'https://a@b', 'ftp://pay.example.com'])(
    'rejects a malformed checkout address: %s',
    (checkoutUrl) => {
      expect(() => stageConfig({ stage: 'main', checkoutUrl })).toThrow(
        'The checkoutUrl must be an http(s) address without query or trailing slash.',
      );
    },
  );

  it.each([
    'docs.example.com',
    'https://a/',
    'https://a/?b',
    'https://a/">',
    "https://a/'",
    `https://a/${'b'.repeat(191)}`,
  ])('rejects an address of the documentation that no header can contain: %s', (docsUrl) => {
    expect(() => stageConfig({ stage: 'main', docsUrl })).toThrow(
      'The docsUrl must be an http(s) address without query or trailing slash, with at most 200 characters.',
    );
  });

  it('defaults to 24 hours until a cart expires, and to 100 requests a second', () => {
    expect(stageConfig({ stage: 'main' })).toStrictEqual({
      accountRules: { permissionsBoundary: undefined, qualifier: undefined },
      name: 'main',
      retainsData: false,
      isProtected: false,
      liveCheckoutUrl: 'https://checkout.example.com',
      domain: undefined,
      docsUrl: undefined,
      cartLifetime: { expirySeconds: 86_400, retentionSeconds: 30 * 86_400 },
      personalDataDays: 730,
      throttle: { requestsPerSecond: 100, burst: 200 },
      alarmEmail: undefined,
      firewall: undefined,
      reservedConcurrency: 0,
      deployment: { drop: [], isRollback: false },
      expectsTraffic: false,
      liveRequestsPerHour: undefined,
      dailyBudgetUsd: undefined,
      budgetScope: 'account',
      tags: { service: 'cart-checkout', stage: 'main' },
      hasCanary: false,
      hasDashboard: false,
      hasSandbox: true,
      allowsLoopbackWebhooks: false,
      paymentSenders: { source: 'payments', roleArn: undefined, operatorRoleArn: undefined },
      rollout: 'all-at-once',
    });
  });

  it('takes its values from the context', () => {
    const context = {
      stage: 'main',
      docsUrl: 'http://localhost:8080/carts/v1',
      requestsPerSecond: '100000',
      cartExpiryMinutes: '30',
      personalDataDays: '90',
      alarmEmail: 'ops@example.com',
      firewall: 'true',
      firewallAllow: '203.0.113.0/24,198.51.100.7/32,2001:db8::/32',
      dailyBudgetUsd: '250',
      budgetScope: 'stage',
      tags: 'team=shop,cost centre=a=b/c',
      liveRequestsPerHour: '12',
      reservedConcurrency: '200',
      canary: 'true',
      dashboard: 'true',
      sandbox: 'false',
      webhookLoopback: 'true',
      paymentSource: 'acme.payments',
      paymentRoleArn: 'arn:aws:iam::111111111111:role/payments',
      operatorRoleArn: 'arn:aws-cn:iam::222222222222:role/team/operators',
    };
    expect(stageConfig(context)).toMatchObject({
      docsUrl: 'http://localhost:8080/carts/v1',
      throttle: { requestsPerSecond: 100_000, burst: 200_000 },
      cartLifetime: { expirySeconds: 1_800 },
      personalDataDays: 90,
      alarmEmail: 'ops@example.com',
      firewall: { allowedNetworks: ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'] },
      dailyBudgetUsd: 250,
      budgetScope: 'stage',
      tags: { service: 'cart-checkout', stage: 'main', team: 'shop', 'cost centre': 'a=b/c' },
      liveRequestsPerHour: 12,
      reservedConcurrency: 200,
      hasCanary: true,
      hasDashboard: true,
      hasSandbox: false,
      allowsLoopbackWebhooks: true,
      paymentSenders: {
        source: 'acme.payments',
        roleArn: 'arn:aws:iam::111111111111:role/payments',
        operatorRoleArn: 'arn:aws-cn:iam::222222222222:role/team/operators',
      },
    });
  });

  it('protects and watches production by default, and a value of the context says otherwise', () => {
    expect(stageConfig(PRODUCTION_CONTEXT)).toMatchObject({
      isProtected: true,
      throttle: { requestsPerSecond: 1_000, burst: 2_000 },
      firewall: { allowedNetworks: [] },
      reservedConcurrency: RESERVED_CONCURRENCY.byDefault,
      expectsTraffic: true,
      liveRequestsPerHour: undefined,
      hasCanary: true,
      hasDashboard: true,
    });
    const none = {
      protected: 'false',
      firewall: 'false',
      canary: 'false',
      dashboard: 'false',
      reservedConcurrency: '0',
    };
    expect(stageConfig({ ...PRODUCTION_CONTEXT, ...none })).toMatchObject({
      isProtected: false,
      firewall: undefined,
      hasCanary: false,
      hasDashboard: false,
      reservedConcurrency: 0,
    });
  });

  it('requires somebody who receives the alarms of production, or a value that says nobody', () => {
    expect(() => stageConfig({ ...PRODUCTION_CONTEXT, alarmEmail: undefined })).toThrow(
      'The stage prod needs somebody who receives its alarms. Set -c alarmEmail=ops@example.com, or -c alarmEmail=none and subscribe another receiver to the output AlarmTopicArn.',
    );
    expect(stageConfig({ ...PRODUCTION_CONTEXT, alarmEmail: 'none' }).alarmEmail).toBeUndefined();
  });

  it.each([
    ['1000', 200, 1_000],
    ['100', 20, 100],
    ['7', 1.4, 7],
    ['100000', 1_000, 100_000],
  ])('allows one key a fifth of the throttle %s, and half of its burst', (rate, perSecond, atOnce) => {
    const { throttle } = stageConfig({ stage: 'main', requestsPerSecond: rate });
    expect(keyLimitsMax(throttle)).toStrictEqual({ requestsPerSecond: perSecond, requestsAtOnce: atOnce });
  });

  it.each<[Partial<StageContext>, string]>([
    [{ requestsPerSecond: '0' }, 'The requestsPerSecond must be a whole number from 1 to 100000.'],
    [{ requestsPerSecond: '100001' }, 'The requestsPerSecond must be a whole number from 1 to 100000.'],
    [{ requestsPerSecond: '1e3' }, 'The requestsPerSecond must be a whole number from 1 to 100000.'],
    [{ cartExpiryMinutes: '29' }, 'The cartExpiryMinutes must be a whole number from 30 to 43200.'],
    [{ cartExpiryMinutes: '43201' }, 'The cartExpiryMinutes must be a whole number from 30 to 43200.'],
    [{ personalDataDays: '32' }, 'The personalDataDays must be a whole number from 33 to 3650.'],
    [{ personalDataDays: '3651' }, 'The personalDataDays must be a whole number from 33 to 3650.'],
    [{ personalDataDays: '2 years' }, 'The personalDataDays must be a whole number from 33 to 3650.'],
    [{ alarmEmail: 'ops' }, 'The alarmEmail must be an e-mail address, or none.'],
    [{ firewall: 'yes' }, 'The firewall must be true or false.'],
    [{ canary: 'on' }, 'The canary must be true or false.'],
    [{ budgetScope: 'stage' }, 'The budgetScope is of a budget: set -c dailyBudgetUsd too.'],
    [{ dailyBudgetUsd: '0' }, 'The dailyBudgetUsd must be a whole number from 1 to 1000000.'],
    [{ firewallAllow: '203.0.113.0/24' }, 'The firewallAllow needs a firewall'],
    ...['203.0.113.7', '203.0.113.0/33', '0.0.0.0/0', '2001:db8::/129', '300.0.0.1/8', 'office/24'].map(
      (network) =>
        [{ firewall: 'true', firewallAllow: `10.0.0.0/8,${network}` }, `"${network}" is none.`] as [
          Partial<StageContext>,
          string,
        ],
    ),
    [{ liveRequestsPerHour: '11' }, 'The liveRequestsPerHour must be a whole number from 12 to 100000000.'],
    [
      { reservedConcurrency: '199' },
      'The reservedConcurrency must be a whole number from 200 to 100000, or 0 for none.',
    ],
    [{ dashboard: 'yes' }, 'The dashboard must be true or false.'],
    [{ sandbox: 'no' }, 'The sandbox must be true or false.'],
    [{ budgetScope: 'all' }, 'The budgetScope must be account or stage.'],
    [{ protected: 'yes' }, 'The protected must be true or false.'],
    [{ protected: 'true' }, 'The stage main keeps no data: remove protected, which is for prod.'],
    ...['team', 'team=', '=shop', 'team=shop,', 'aws:team=shop', 'stage=prod', 'a=1,a=2', 'a=<b>'].map(
      (tags) => [{ tags }, 'The tags must be at most 20 pairs'] as [Partial<StageContext>, string],
    ),
    [{ webhookLoopback: '1' }, 'The webhookLoopback must be true or false.'],
  ])('rejects an invalid value in one sentence: %j', (context, sentence) => {
    expect(() => stageConfig({ stage: 'main', ...context })).toThrow(sentence);
  });

  it('lets no webhook of production go to loopback addresses', () => {
    expect(() => stageConfig({ ...PRODUCTION_CONTEXT, webhookLoopback: 'true' })).toThrow(
      'The stage prod must not send webhooks to loopback addresses: remove webhookLoopback, which is for emulators of AWS.',
    );
    expect(stageConfig({ ...PRODUCTION_CONTEXT, webhookLoopback: 'false' }).allowsLoopbackWebhooks).toBe(
      false,
    );
  });

  it.each([
    ['in-steps', 'prod', PRODUCTION_CONTEXT],
    ['all-at-once', 'prod that says so', { ...PRODUCTION_CONTEXT, rollout: 'all-at-once' }],
    ['in-steps', 'another stage that says so', { stage: 'main', rollout: 'in-steps' }],
  ])('gives new versions their traffic by %s: %s', (rollout, _, context) => {
    expect(stageConfig(context).rollout).toBe(rollout);
  });

  it('rejects another way to give new versions their traffic', () => {
    const config = () => stageConfig({ stage: 'main', rollout: 'linear' });
    expect(config).toThrow('The rollout must be in-steps or all-at-once.');
  });
});
