import { expect, test } from 'vitest';
import { createLambdaContext } from '../../../../infra/local/gateway/lambda-context.ts';

test('the time that remains is counted from the start and never below zero', () => {
  let nowMs = 1_000;
  const context = createLambdaContext({
    functionName: 'get-cart',
    awsRequestId: 'invocation-1',
    timeoutMs: 6_000,
    now: () => nowMs,
  });

  expect(context.getRemainingTimeInMillis()).toBe(6_000);
  nowMs += 4_500;
  expect(context.getRemainingTimeInMillis()).toBe(1_500);
  nowMs += 4_500;
  expect(context.getRemainingTimeInMillis()).toBe(0);
});

test('names the function and the invocation as the Lambda runtime does', () => {
  const context = createLambdaContext({
    functionName: 'get-cart',
    awsRequestId: 'invocation-1',
    timeoutMs: 6_000,
    now: () => Date.UTC(2026, 10, 20),
  });

  expect(context).toMatchObject({
    functionName: 'get-cart',
    functionVersion: '$LATEST',
    awsRequestId: 'invocation-1',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:get-cart',
    memoryLimitInMB: '1024',
    logGroupName: '/aws/lambda/get-cart',
    logStreamName: '2026/11/20/[$LATEST]local',
  });
});
