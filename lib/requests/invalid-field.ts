/** A validation issue: the field's path, such as `meta.color` or `headers.idempotency-key`, and one sentence. */
export interface InvalidField {
  readonly path: string;
  readonly message: string;
}

/** An issue that only test mode rejects: an unknown name, or a value that is valid, but harms somebody later. */
export interface TestModeIssue extends InvalidField {
  /** The path of the known field that an unknown name means. */
  readonly means?: string;
  /** Its name in the log, without its value: the known field, or the field and the rule. */
  readonly loggedAs: string;
}
