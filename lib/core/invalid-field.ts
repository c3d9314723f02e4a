/** A validation issue: the field's path, such as `meta.color` or `headers.idempotency-key`, and one sentence. */
export interface InvalidField {
  readonly path: string;
  readonly message: string;
}

/** An unknown field, and the known field with a similar name. */
export interface MisspelledField {
  readonly sent: string;
  readonly meant: string;
}
