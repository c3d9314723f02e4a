import { UnavailableError } from '../../../../lib/aws/errors.ts';

/** The process ended. */
export class DeathError extends UnavailableError {
  constructor() {
    super('The process has ended');
  }
}

/** A process that ends after a number of calls. The last one has an effect, and the next one does not happen. */
export const createProcess = (lifetime: number) => {
  let callsLeft = lifetime;
  const live = (): void => {
    if (callsLeft <= 0) throw new DeathError();
    callsLeft -= 1;
  };
  return {
    live,
    isDead: () => callsLeft <= 0,
    revive: () => {
      callsLeft = Infinity;
    },
    /** A store whose calls may be the last ones. */
    mortal: <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get: (target, name) => {
          const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
          if (typeof method !== 'function') return method;
          return async (...args: unknown[]) => {
            live();
            return method.apply(target, args);
          };
        },
      }),
  };
};
