// The package has no types. These cover what the benchmark uses.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';
  import type { BenchRequest } from './operations.ts';

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. Ignored if `amount` is set. */
    readonly duration?: number;
    readonly amount?: number;
    /** Each connection sends them in turn. */
    readonly requests: readonly BenchRequest[];
    readonly setupClient: (client: { setRequests(requests: readonly BenchRequest[]): void }) => void;
  }

  /** `duration` is in seconds. */
  type Result = Readonly<Record<'non2xx' | 'errors' | 'duration', number>>;

  const autocannon: (options: Options, done: (error: Error | null, result: Result) => void) => EventEmitter;
  export default autocannon;
}
