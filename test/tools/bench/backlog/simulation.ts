import { setImmediate } from 'node:timers/promises';

/** Simulated time in whole milliseconds. It passes only when no work is left. */
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
      // By then, all work of this time is done.
      await setImmediate();
    }
  }
}
