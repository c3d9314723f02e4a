/** Runs work, at once or when its turn comes. */
export type Limiter = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Limits how many works run at the same time. The others wait in the order in which they came. */
export const limitConcurrency = (runningMax: number): Limiter => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < runningMax) running += 1;
    else await new Promise<void>((proceed) => waiting.push(proceed));
    try {
      return await work();
    } finally {
      // The longest waiting one takes the place.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};
