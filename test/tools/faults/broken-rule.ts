import type { Exchange } from './requests/history.ts';

/** A rule that a run breaks. */
export interface BrokenRule {
  readonly rule: string;
  readonly detail: string;
  /** The requests that show it. */
  readonly exchanges?: readonly Exchange[];
  /** Set if no request shows it. */
  readonly scenario?: string;
}

/** Lists the rules that are broken, with the exchanges that show it. */
export const findBroken = (
  detail: string,
  rules: readonly (readonly [rule: string, isBroken: boolean, shownBy: readonly Exchange[]])[],
): BrokenRule[] =>
  rules.filter(([, isBroken]) => isBroken).map(([rule, , exchanges]) => ({ rule, detail, exchanges }));
