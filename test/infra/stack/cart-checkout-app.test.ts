import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, test } from 'vitest';
import { synthesise } from '../../../infra/example-stages/synthesise.ts';

test('the app rejects an unknown context name before it builds the stack', () => {
  const context = { stage: 'x', alarmEMail: 'ops@example.com' };
  expect(() => synthesise(context)).toThrow('Did you mean alarmEmail?');
});

test('an unacknowledged finding of cdk-nag makes the synthesis fail', () => {
  const addQueue = (): unknown =>
    synthesise({ stage: 'x' }, { change: (stack) => void new Queue(stack, 'Unacknowledged') });
  expect(addQueue).toThrow('AwsSolutions-SQS4');
});
