import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { HTTP_FUNCTIONS } from '../../../functions/operations.ts';
import { RESERVED_CONCURRENCY, splitConcurrency } from '../../../infra/stack/concurrency.ts';
import { branchStage, fullStage, productionStage } from './template.ts';

const branch = branchStage().template;
const full = fullStage().template;
const production = productionStage().template;

describe('the concurrency of a function', () => {
  const reservedIn = (template: Template): Record<string, number | undefined> =>
    Object.fromEntries(
      Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, resource]) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        (resource as { Properties: { ReservedConcurrentExecutions?: number } }).Properties
          .ReservedConcurrentExecutions,
      ]),
    );

  const sumOf = (reserved: Readonly<Record<string, number | undefined>>): number =>
    Object.values(reserved).reduce<number>((sum, each = 0) => sum + each, 0);

  it('is reserved in production, and leaves the account the 100 executions that AWS demands', () => {
    const reserved = reservedIn(production);
    expect(reserved).toStrictEqual({
      CreateCartCheckout: 350,
      GetCart: 370,
      ExpireCart: 5,
      ListEvents: 20,
      WebhookEndpoints: 5,
      SandboxCheckout: 40,
      RecordPayment: 5,
      Canary: 2,
      FanOutEvents: 20,
      RunDue: 2,
      DeliverWebhooks: 50,
    });
    expect(sumOf(reserved)).toBeLessThanOrEqual(1_000 - 100);
    expect(new Set(Object.values(reservedIn(branch)))).toStrictEqual(new Set([undefined]));
  });

  it('is split in an account with fewer: the API functions share what the others leave', () => {
    const kept = {
      ExpireCart: 5,
      WebhookEndpoints: 5,
      RecordPayment: 5,
      Canary: 2,
      FanOutEvents: 20,
      RunDue: 2,
      DeliverWebhooks: 50,
    };
    const left = (total: number): number => total - sumOf(kept);
    const share = left(400) / left(sumOf(reservedIn(production)));
    expect(reservedIn(full)).toMatchObject({
      ...kept,
      CreateCartCheckout: Math.floor(350 * share),
      GetCart: Math.floor(370 * share),
      ListEvents: Math.floor(20 * share),
    });
  });

  it('is at least two for each function, and never more than the account gives', () => {
    for (const total of [RESERVED_CONCURRENCY.min, 400, RESERVED_CONCURRENCY.byDefault, 3_000]) {
      const reserved = Object.values(splitConcurrency(total));
      expect(Math.min(...reserved)).toBeGreaterThanOrEqual(2);
      expect(reserved.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(total);
    }
  });

  it('limits the event sources of payments and deliveries as the functions: SQS gets no throttled invocation', () => {
    for (const MaximumConcurrency of [5, 50]) {
      production.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        ScalingConfig: { MaximumConcurrency },
      });
    }
  });
});

describe('the canary', () => {
  it('is absent where no stage asks for it', () => {
    expect(Object.keys(full.toJSON()['Outputs'] as object)).toContain('HasCanary');
    expect(JSON.stringify(branch.toJSON())).not.toContain('anary');
  });
});

describe('the secret that hashes source addresses', () => {
  it('is random for each stage, goes with its stack, and reaches the functions of requests alone', () => {
    const secrets = branch.findResources('AWS::SecretsManager::Secret');
    expect(Object.values(secrets)).toMatchObject([
      {
        DeletionPolicy: 'Delete',
        Properties: { GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 } },
      },
    ]);
    const functions = Object.values(branch.findResources('AWS::Lambda::Function'));
    const withKey = functions.filter((resource) =>
      JSON.stringify(resource).includes('resolve:secretsmanager'),
    );
    expect(withKey).toHaveLength(HTTP_FUNCTIONS.length);
  });
});
