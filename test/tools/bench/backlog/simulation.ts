import { setImmediate } from 'node:timers/promises';

/** Time that passes only when nothing is left to do, in whole milliseconds. */
export class Simulation {
  #nowMs = 0;
  readonly #due = new Map<number, (() => void)[]>();

  readonly now = (): number => this.#nowMs;

  /** Resolves when so much time has passed. */
  readonly sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const atMs = this.#nowMs + Math.max(1, Math.round(ms));
      const others = this.#due.get(atMs);
      if (others) others.push(resolve);
      else this.#due.set(atMs, [resolve]);
    });

  /** Lets time pass until then. */
  async runUntil(untilMs: number): Promise<void> {
    for (; this.#nowMs <= untilMs; this.#nowMs += 1) {
      const due = this.#due.get(this.#nowMs);
      if (!due) continue;
      this.#due.delete(this.#nowMs);
      for (const resolve of due) resolve();
      // All that follows at this time is done then.
      await setImmediate();
    }
  }
}
