import { setTimeout } from 'node:timers/promises';
import type { Exchange } from './history.ts';
import type { Random } from './random.ts';
import type { RequestSource } from './request-source.ts';
import { send } from './sender.ts';

/** Requests in flight at the same time, each on its own connection. */
const CONNECTIONS = 32;

/** The pause after a cut connection. It prevents a busy loop while a process is dead. */
const AFTER_CUT_MS = 50;

export interface LoadOptions {
  readonly scenario: string;
  readonly source: RequestSource;
  readonly random: Random;
  readonly baseUrls: readonly string[];
  readonly secretOf: (keyName: string) => string;
  readonly requestsPerSecondMax: number;
  /** The history. Each exchange is added to it when it ends. */
  readonly exchanges: Exchange[];
}

/** Starts 32 clients. Each sends its next request as soon as it has a response. `stop` waits for the last responses. */
export const startLoad = (options: LoadOptions) => {
  const { scenario, source, random, baseUrls, secretOf, requestsPerSecondMax, exchanges } = options;
  const before = exchanges.length;
  const stopping = new AbortController();
  let nextTurnMs = performance.now();
  const takeTurn = async (): Promise<void> => {
    const turnMs = Math.max(nextTurnMs, performance.now());
    nextTurnMs = turnMs + 1_000 / requestsPerSecondMax;
    const waitMs = turnMs - performance.now();
    if (waitMs > 1) await setTimeout(waitMs);
  };
  const runClient = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await takeTurn();
      const request = source.next();
      const stage = Math.floor(random.next() * baseUrls.length);
      const startedAtMs = Date.now();
      const startMs = performance.now();
      const outcome = await send(baseUrls[stage]!, secretOf(request.keyName), request);
      const durationMs = performance.now() - startMs;
      const times = { startedAtMs, endedAtMs: Date.now(), durationMs };
      const exchange = { number: exchanges.length + 1, scenario, stage, request, ...times, ...outcome };
      exchanges.push(exchange);
      source.note(exchange);
      if (exchange.status === 'cut') await setTimeout(AFTER_CUT_MS);
    }
  };
  const clients = Array.from({ length: CONNECTIONS }, runClient);
  return {
    exchanges: (): readonly Exchange[] => exchanges.slice(before),
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(clients);
    },
  };
};
