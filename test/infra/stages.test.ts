import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTEXT_NAMES, contextFlags, readStageContext } from '../../infra/stage-context.ts';
import { safeStageName, stageConfig } from '../../infra/stages.ts';
import { rowsOf, sectionsOf } from '../frame/markdown.ts';

/** Faster than `fc.string({ unit: 'binary' })`, which takes a second to build. */
const ANY_TEXT = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }))
  .map((points) => String.fromCodePoint(...points));

describe('the name of a stage', () => {
  it.each(['prod', 'main', 'feature-1', 'a', 'x'.repeat(24)])('stays if it is valid: %s', (name) => {
    expect(safeStageName(name)).toBe(name);
  });

  it.each([
    ['feature/Add Carts', /^feature-add-c-[0-9a-f]{10}$/],
    ['PROD', /^prod-[0-9a-f]{10}$/],
    ['1234', /^stage-[0-9a-f]{10}$/],
    ['été', /^t-[0-9a-f]{10}$/],
    ['main-', /^main-[0-9a-f]{10}$/],
    ['', /^stage-[0-9a-f]{10}$/],
    ['x'.repeat(25), /^x{13}-[0-9a-f]{10}$/],
  ])('keeps the valid characters of %j and adds a hash', (text, expected) => {
    expect(safeStageName(text)).toMatch(expected);
  });

  it('is valid for any text, and a valid name stays', () => {
    fc.assert(
      fc.property(ANY_TEXT, (text) => {
        const name = safeStageName(text);
        expect(name).toMatch(/^[a-z][a-z0-9-]{0,22}[a-z0-9]$|^[a-z]$/);
        expect(safeStageName(name)).toBe(name);
      }),
    );
  });

  it('differs for long branch names with the same beginning', () => {
    const names = [1, 2, 3].map((n) => safeStageName(`feature/a-very-long-branch-name-${n}`));
    expect(new Set(names).size).toBe(3);
  });
});

describe('the configuration of a stage', () => {
  it('retains data in production only', () => {
    const checkoutUrl = 'https://pay.example.com';
    expect(stageConfig({ stage: 'prod', checkoutUrl })).toMatchObject({
      retainsData: true,
      liveCheckoutUrl: checkoutUrl,
    });
    expect(stageConfig({ stage: 'main' }).retainsData).toBe(false);
  });

  it('requires the address of the payment page in production', () => {
    expect(() => stageConfig({ stage: 'prod' })).toThrow(
      'The stage prod takes real payments. Set the address of the payment page with -c checkoutUrl=https://...',
    );
  });

  it('requires https in production', () => {
    const checkoutUrl = 'http://pay.example.com';
    expect(() => stageConfig({ stage: 'prod', checkoutUrl })).toThrow(
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

  it('defaults to 24 hours until a cart expires, and to 100 requests a second, 1,000 in production', () => {
    expect(stageConfig({ stage: 'main' })).toStrictEqual({
      name: 'main',
      retainsData: false,
      liveCheckoutUrl: 'https://checkout.example.com',
      cartLifetime: { expirySeconds: 86_400, retentionSeconds: 30 * 86_400 },
      throttle: { requestsPerSecond: 100, burst: 200 },
      alarmEmail: undefined,
      hasFirewall: false,
      hasSandbox: true,
      paymentSenders: { source: 'payments', roleArn: undefined, operatorRoleArn: undefined },
    });
    const { throttle } = stageConfig({ stage: 'prod', checkoutUrl: 'https://pay.example.com' });
    expect(throttle).toStrictEqual({ requestsPerSecond: 1_000, burst: 2_000 });
  });

  it('takes its values from the context', () => {
    const context = {
      stage: 'main',
      requestsPerSecond: '100000',
      cartExpiryMinutes: '30',
      alarmEmail: 'ops@example.com',
      firewall: 'true',
      sandbox: 'false',
      paymentSource: 'acme.payments',
      paymentRoleArn: 'arn:aws:iam::111111111111:role/payments',
      operatorRoleArn: 'arn:aws-cn:iam::222222222222:role/team/operators',
    };
    expect(stageConfig(context)).toMatchObject({
      throttle: { requestsPerSecond: 100_000, burst: 200_000 },
      cartLifetime: { expirySeconds: 1_800 },
      alarmEmail: 'ops@example.com',
      hasFirewall: true,
      hasSandbox: false,
      paymentSenders: {
        source: 'acme.payments',
        roleArn: 'arn:aws:iam::111111111111:role/payments',
        operatorRoleArn: 'arn:aws-cn:iam::222222222222:role/team/operators',
      },
    });
  });

  it.each([
    [{ requestsPerSecond: '0' }, 'The requestsPerSecond must be a whole number from 1 to 100000.'],
    [{ requestsPerSecond: '100001' }, 'The requestsPerSecond must be a whole number from 1 to 100000.'],
    [{ requestsPerSecond: '1e3' }, 'The requestsPerSecond must be a whole number from 1 to 100000.'],
    [{ cartExpiryMinutes: '29' }, 'The cartExpiryMinutes must be a whole number from 30 to 43200.'],
    [{ cartExpiryMinutes: '43201' }, 'The cartExpiryMinutes must be a whole number from 30 to 43200.'],
    [{ alarmEmail: 'ops' }, 'The alarmEmail must be an e-mail address.'],
    [{ firewall: 'yes' }, 'The firewall must be true or false.'],
    [{ sandbox: 'no' }, 'The sandbox must be true or false.'],
  ])('rejects an invalid value in one sentence: %j', (context, sentence) => {
    expect(() => stageConfig({ stage: 'main', ...context })).toThrow(sentence);
  });

  it.each(['aws.events', 'AWS.events', 'two words', 'x'.repeat(257)])(
    'rejects a source of payments that no sender may use: %s',
    (paymentSource) => {
      expect(() => stageConfig({ stage: 'main', paymentSource })).toThrow(
        'The paymentSource must be an EventBridge source: 1 to 256 letters, digits and ./_-, and not an AWS service.',
      );
    },
  );

  it.each([
    'payments',
    'arn:aws:iam::111111111111:user/payments',
    'arn:aws:sts::111111111111:assumed-role/payments/session',
    'arn:aws:iam::111111111111:role/*',
    'arn:aws:iam::*:role/payments',
    'arn:aws:iam::111111111111:role/payments ',
  ])('rejects a sender that is not the ARN of a role: %s', (arn) => {
    const paymentRoleArn = 'arn:aws:iam::111111111111:role/payments';
    const sentence = (name: string): string =>
      `The ${name} must be the ARN of an IAM role, such as arn:aws:iam::123456789012:role/payments.`;
    expect(() => stageConfig({ stage: 'main', paymentRoleArn: arn })).toThrow(sentence('paymentRoleArn'));
    expect(() => stageConfig({ stage: 'main', paymentRoleArn, operatorRoleArn: arn })).toThrow(
      sentence('operatorRoleArn'),
    );
  });

  it('rejects a role of operators without a role of payments', () => {
    const operatorRoleArn = 'arn:aws:iam::111111111111:role/operators';
    expect(() => stageConfig({ stage: 'main', operatorRoleArn })).toThrow(
      'The operatorRoleArn needs a paymentRoleArn: without it, every principal of the account may send payments.',
    );
  });
});

describe('the context of a deployment', () => {
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
    ['rate', /^There is no context value "rate". Use one of stage, checkoutUrl, .*\.$/],
    ['__proto__x', /Use one of/],
  ])('rejects the unknown name %s', (name, remedy) => {
    expect(() => read({ stage: 'main', [name]: '' })).toThrow(remedy);
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

  it('has a row in docs/operate.md for each name, and no other', () => {
    const table = sectionsOf(readFileSync('docs/operate.md', 'utf8')).get('Context values');
    const names = rowsOf(table)
      .slice(2)
      .map(([name = '']) => name);
    expect(names.toSorted()).toStrictEqual(CONTEXT_NAMES.toSorted());
  });
});
