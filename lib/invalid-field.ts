/** The issue of one field: its path with dots (`meta.color`, `headers.idempotency-key`) and one sentence. */
export interface InvalidField {
  readonly path: string;
  readonly message: string;
}
