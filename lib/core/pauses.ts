/** The sources of time and randomness for pauses. */
export interface Pauses {
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to below 1. */
  readonly random: () => number;
}
