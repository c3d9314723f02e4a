/** A rule of events that the history breaks. */
export interface BrokenRule {
  readonly rule: string;
  readonly detail: string;
}
