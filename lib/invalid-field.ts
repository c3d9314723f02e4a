/** A validation issue: the field's path, such as `meta.color` or `headers.idempotency-key`, and one sentence. */
export interface InvalidField {
  readonly path: string;
  readonly message: string;
}
