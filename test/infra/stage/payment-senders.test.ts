import { describe, expect, it } from 'vitest';
import { stageConfig } from '../../../infra/stage/stage-config.ts';

describe('the senders of payments', () => {
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
      `The ${name} must be the ARN of an IAM role, such as arn:aws:iam::123456789012:role/{name}.`;
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
