/** Why an attempt got no response. `privateAddress`: the host has an address that is not public. */
export const ATTEMPT_ERRORS = [
  'timeout',
  'privateAddress',
  'hostNotFound',
  'connectionFailed',
  'connectionClosed',
  'tlsFailed',
  'invalidResponse',
  'invalidUrl',
] as const;

export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** The result of one attempt: a status or an error. */
export interface AttemptResult {
  readonly status?: number | undefined;
  readonly error?: AttemptError | undefined;
  /** How long the attempt took. */
  readonly ms: number;
  /** The first 500 characters of the response's body, without control characters, API keys and signing secrets. */
  readonly response?: string | undefined;
}

export interface Attempt extends AttemptResult {
  readonly atMs: number;
  /** From 1. A resend begins anew. */
  readonly attempt: number;
}
