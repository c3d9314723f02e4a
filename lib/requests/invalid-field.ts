/** A validation issue: the field's path, such as `meta.color` or `headers.idempotency-key`, and one sentence. */
export interface InvalidField {
  readonly path: string;
  readonly message: string;
}

/** The issue of an unknown field. `meant`: the known field with this meaning, or its own name if there is none. */
export interface MisspelledField extends InvalidField {
  readonly meant: string;
}
