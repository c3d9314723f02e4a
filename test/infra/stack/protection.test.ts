import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { branchStage, fullStage, productionStage } from './template.ts';

let branch: Template;
let full: Template;
let production: Template;

beforeAll(() => {
  branch = branchStage().template;
  full = fullStage().template;
  production = productionStage().template;
});

describe('the concurrency of a function', () => {
  const reservedIn = (template: Template): unknown =>
    Object.fromEntries(
      Object.entries(template.findResources('AWS::Lambda::Function')).map(([id, resource]) => [
        id.replace(/[0-9A-F]{8}$/, ''),
        (resource as { Properties: { ReservedConcurrentExecutions?: number } }).Properties
          .ReservedConcurrentExecutions,
      ]),
    );

  it('is reserved in production, and leaves the account the 100 executions that AWS demands', () => {
    const reserved = reservedIn(production) as Record<string, number>;
    expect(reserved).toStrictEqual({
      CreateCartCheckout: 400,
      GetCart: 400,
      ListEvents: 20,
      SandboxCheckout: 40,
      RecordPayment: 5,
      Canary: 2,
    });
    const sum = Object.values(reserved).reduce((total, each) => total + each, 0);
    expect(sum).toBeLessThanOrEqual(1_000 - 100);
    expect(new Set(Object.values(reservedIn(full) as object))).toStrictEqual(new Set([undefined]));
  });

  it('limits the event source of payments as the function: SQS gets no throttled invocation', () => {
    production.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      ScalingConfig: { MaximumConcurrency: 5 },
    });
  });
});

describe('the canary', () => {
  it('runs every minute without retries, and is absent where no stage asks for it', () => {
    full.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [Match.objectLike({ RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 } })],
    });
    expect(Object.keys(full.toJSON()['Outputs'] as object)).toContain('CanaryTable');
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
    expect(withKey).toHaveLength(4);
  });
});
