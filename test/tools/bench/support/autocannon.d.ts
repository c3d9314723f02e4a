// The package comes without types; declared as far as the benchmark uses it.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Request {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  }

  interface Client {
    setRequests(requests: readonly Request[]): void;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds; of no effect beside `amount`. */
    readonly duration?: number;
    /** Requests in all. */
    readonly amount?: number;
    /** Sent in turn, by each connection. */
    readonly requests: readonly Request[];
    /** Called once for each connection. */
    readonly setupClient?: (client: Client) => void;
  }

  interface Result {
    readonly non2xx: number;
    readonly errors: number;
    /** Seconds. */
    readonly duration: number;
  }

  const autocannon: (options: Options, done: (error: Error | null, result: Result) => void) => EventEmitter;
  export default autocannon;
}
