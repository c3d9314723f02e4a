import { setTimeout } from 'node:timers/promises';
import type { Exchange, SentRequest } from '../history.ts';
import type { Random } from './random.ts';
import type { RequestSource } from './request-source.ts';
import type { Sender } from './sender.ts';

/** So many requests are under way at once, each on a connection of its own. */
export const CONNECTIONS = 32;

/** After a cut connection, so that a process that is down is not asked as fast as the machine can. */
const AFTER_CUT_MS = 50;

export interface LoadOptions {
  readonly scenario: string;
  readonly source: RequestSource;
  readonly sender: Sender;
  readonly random: Random;
  /** Where each of the service's processes answers. */
  readonly baseUrls: readonly string[];
  readonly secretOf: (keyName: string) => string;
  readonly requestsPerSecondMax: number;
  /** The history, to which each exchange is added as it ends. */
  readonly exchanges: Exchange[];
}

/** Requests that go on until they are told to stop. */
export interface RunningLoad {
  /** Those that were answered or cut so far. */
  exchanges(): readonly Exchange[];
  /** Waits for the last answers. */
  stop(): Promise<void>;
}

let number = 0;

const send = async (
  { scenario, sender, baseUrls, secretOf }: LoadOptions,
  request: SentRequest,
  stage: number,
): Promise<Exchange> => {
  number += 1;
  const sent = { number, scenario, stage, request, startedAtMs: Date.now() };
  const startMs = performance.now();
  const outcome = await sender.send(baseUrls[stage]!, secretOf(request.keyName), request);
  return { ...sent, outcome, endedAtMs: Date.now(), durationMs: performance.now() - startMs };
};

/** Puts the service under load: {@link CONNECTIONS} clients, each of which asks again as soon as it has its answer. */
export const startLoad = (options: LoadOptions): RunningLoad => {
  const { source, random, baseUrls, requestsPerSecondMax, exchanges } = options;
  const before = exchanges.length;
  const stopping = new AbortController();
  let nextTurnMs = performance.now();
  const takeTurn = async (): Promise<void> => {
    const turnMs = Math.max(nextTurnMs, performance.now());
    nextTurnMs = turnMs + 1_000 / requestsPerSecondMax;
    const waitMs = turnMs - performance.now();
    if (waitMs > 1) await setTimeout(waitMs);
  };
  const askOn = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await takeTurn();
      const exchange = await send(options, source.next(), Math.floor(random.next() * baseUrls.length));
      exchanges.push(exchange);
      source.note(exchange);
      if (exchange.outcome.kind === 'cut') await setTimeout(AFTER_CUT_MS);
    }
  };
  const clients = Array.from({ length: CONNECTIONS }, askOn);
  return {
    exchanges: () => exchanges.slice(before),
    stop: async () => {
      stopping.abort();
      await Promise.all(clients);
    },
  };
};
