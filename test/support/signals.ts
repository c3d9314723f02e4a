/** A signal that never ends. */
export const NEVER = new AbortController().signal;
