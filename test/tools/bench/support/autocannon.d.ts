// The package has no types. These cover what the benchmark uses.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';
  import type { OperationRequest } from '../../../support/invoke.ts';

  type Request = Pick<OperationRequest, 'headers' | 'body'> &
    Readonly<Record<'method' | 'path', string>> & {
      /** Changes each request before it is sent. */
      readonly setupRequest?: (request: { readonly headers: object }) => object;
    };

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. Ignored if `amount` is set. */
    readonly duration?: number;
    readonly amount?: number;
    /** Seconds until a response counts as missing. */
    readonly timeout?: number;
    /** Each connection sends them in turn. */
    readonly requests: readonly Request[];
    readonly setupClient?: (client: { setRequests(requests: readonly Request[]): void }) => void;
  }

  type Result = Readonly<Record<'non2xx' | 'errors' | 'timeouts' | 'duration', number>> & {
    readonly statusCodeStats: Readonly<Record<number, { readonly count: number }>>;
  };

  const autocannon: (options: Options, done: (error: Error | null, result: Result) => void) => EventEmitter;
  export default autocannon;
}
