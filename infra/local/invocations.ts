import type { ProxyFunction } from '../../lib/http/pipeline.ts';

/**
 * Each invocation makes two calls at a time, and the client has 50 sockets. A call that waited for a socket would spend its
 * time limit.
 */
const INVOCATIONS_MAX = 25;

/** Runs work, at once or when its turn comes. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits how many invocations of a stage run at once. The others wait in the order of their arrival. An idle limiter starts
 * an invocation at once.
 *
 * Each iteration of the event loop starts one, because each accepts one connection (libuv 1.52). If it started more, the
 * last of 64 new connections would wait for most of the work of all others.
 */
export const limitInvocations = (runningMax = INVOCATIONS_MAX): Limiter => {
  const waiting: (() => void)[] = [];
  let running = 0;
  let hasStarted = false;
  const startNext = (): void => {
    if (hasStarted || running === runningMax) return;
    const proceed = waiting.shift();
    if (!proceed) return;
    hasStarted = true;
    running += 1;
    proceed();
    setImmediate(() => {
      hasStarted = false;
      startNext();
    });
  };
  return async (work) => {
    await new Promise<void>((proceed) => {
      waiting.push(proceed);
      startNext();
    });
    try {
      return await work();
    } finally {
      running -= 1;
      startNext();
    }
  };
};

/** Makes functions that run when their turn comes. The wait is a part of their time. */
export const inTurn = (
  handlers: Readonly<Record<string, ProxyFunction>>,
): Readonly<Record<string, ProxyFunction>> => {
  const limited = limitInvocations();
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      (event, context) => limited(() => handler(event, context)),
    ]),
  );
};
