import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { inTurn, limitInvocations, QueueTimeoutError } from '../../../infra/local/invocations.ts';
import { FUNCTION_TIMEOUT_MS } from '../../../functions/operations.ts';

const RESULT = { statusCode: 200, body: '' };

/** Invokes a function that has waited this long for its turn. Returns whether it began, and its result or error. */
const invokeAfter = async (waitedMs: number): Promise<{ result: unknown; isBegun: boolean }> => {
  let isBegun = false;
  const handler = () => {
    isBegun = true;
    return Promise.resolve(RESULT);
  };
  const invoke = inTurn(
    (run) => run(),
    () => Promise.resolve(handler),
  );
  const context = { getRemainingTimeInMillis: () => FUNCTION_TIMEOUT_MS - waitedMs } as Context;
  const event = { requestContext: { requestId: 'r1' } } as APIGatewayProxyEvent;
  const result = await invoke(event, context).catch((error: unknown) => error);
  return { result, isBegun };
};

test('an invocation starts if the database still has its whole budget', async () => {
  expect(await invokeAfter(0)).toStrictEqual({ result: RESULT, isBegun: true });
  expect(await invokeAfter(750)).toStrictEqual({ result: RESULT, isBegun: true });
});

test('an invocation does not start after a longer wait', async () => {
  expect(await invokeAfter(751)).toStrictEqual({ result: new QueueTimeoutError(), isBegun: false });
});

/** Work that notes its name when it begins. The test ends it. */
const givenWork = (began: string[], name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = (): Promise<string> => {
    began.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
};

/** Waits for the end of an iteration of the event loop. */
const iteration = () => new Promise((resolve) => setImmediate(resolve));

/** Lets all ready work run. */
const settle = async (): Promise<void> => {
  for (let count = 0; count < 5; count += 1) await iteration();
};

test('at most two run at once, and the others start in the order of their arrival', async () => {
  const began: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => givenWork(began, name));
  if (!a || !b || !c || !d) throw new Error('No work');
  const limited = limitInvocations(2);
  const results = [a, b, c, d].map(({ work }) => limited(work));
  await settle();
  expect(began).toStrictEqual(['a', 'b']);

  b.end();
  await settle();
  expect(began).toStrictEqual(['a', 'b', 'c']);

  a.fail();
  await expect(results[0]).rejects.toThrow('a');
  await settle();
  expect(began).toStrictEqual(['a', 'b', 'c', 'd']);

  c.end();
  d.end();
  expect(await Promise.all(results.slice(1))).toStrictEqual(['b', 'c', 'd']);
});

test('each starts in an iteration of the event loop of its own, also after an idle time', async () => {
  const limited = limitInvocations();
  for (const names of [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]) {
    const began: string[] = [];
    const works = names.map((name) => givenWork(began, name));
    const results = works.map(({ work }) => limited(work));
    for (const [index] of names.entries()) {
      await iteration();
      expect(began).toStrictEqual(names.slice(0, index + 1));
    }
    for (const { end } of works) end();
    await Promise.all(results);
    await settle();
  }
});

test('finished work leaves its place to later work', async () => {
  const limited = limitInvocations(1);
  await limited(async () => 'first');
  expect(await limited(async () => 'second')).toBe('second');
});
