/** What is wrong with one field: its path in dots (`meta.color`, `headers.idempotency-key`) and one sentence. */
export interface InvalidField {
  readonly path: string;
  readonly message: string;
}
