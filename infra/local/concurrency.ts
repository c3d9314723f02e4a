/** Runs work, at once or when its turn comes. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A limiter that lets so many run at the same time, and the others wait in the order they came. */
export const limitConcurrency = (runningMax: number): Limiter => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < runningMax) running += 1;
    else await new Promise<void>((proceed) => waiting.push(proceed));
    try {
      return await work();
    } finally {
      // The place goes straight to the one that has waited longest.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
