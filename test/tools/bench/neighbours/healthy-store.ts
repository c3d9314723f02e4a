import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../../../infra/local/gateway/listen.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import { createCartRepository } from '../../../../lib/carts/cart-repository.ts';
import type { Documents } from '../../../../lib/database/documents.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import type { EventBody, LogId } from '../../../../lib/events/logged-event.ts';
import type { LocalStage } from '../http/stage.ts';
import { benchCart } from '../support/items.ts';
import { createDecline } from './decline.ts';
import { callApi, createStore, ENDPOINTS_PATH } from './stores.ts';

/** An event of a healthy store: a failed payment of a cart of its own. */
export interface SentEvent {
  readonly sentAtMs: number;
  /** The duration of the request that caused the event. */
  requestMs: number;
  /** When the first webhook arrived. Infinity before. */
  arrivedAtMs: number;
}

/** A store whose receiver responds at once. */
export interface HealthyStore {
  readonly mode: Mode;
  /** Sends events at a rate. Returns them when the stage has accepted all. */
  send(perSecond: number, count: number): Promise<readonly SentEvent[]>;
  close(): void;
}

const CARTS_AT_ONCE = 10;

/** An overloaded stage rejects a request. The buyer tries again each second. */
const TRIES_MAX = 30;

/** Starts a receiver that responds 204 at once. It verifies no signature, because that takes processor time. */
const startReceiver = async (onEvent: (cartId: string) => void) => {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    response.writeHead(204).end();
    onEvent((JSON.parse(body) as EventBody & { readonly data: { readonly id: string } }).data.id);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}/hook`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, close };
};

/** Repeats a request of a buyer until the stage has taken it. */
const untilTaken = async (request: () => Promise<number>): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    const outcome = await request().catch(String);
    if (typeof outcome === 'number' && outcome < 400) return;
    if (tries === TRIES_MAX) throw new Error(`The stage rejects the payments of a healthy store: ${outcome}`);
    await sleep(1_000);
  }
};

/** Stores carts that wait for their payments. */
const createCarts = async (
  documents: Documents,
  { storeId, mode }: LogId,
  count: number,
): Promise<Cart[]> => {
  const table = LOCAL_TABLE_NAMES[mode === 'live' ? 'carts' : 'testCarts'];
  const repository = createCartRepository(documents, table, Date.now);
  const carts = Array.from({ length: count }, (): Cart => ({
    ...benchCart(randomUUID(), Date.now()),
    storeId,
    mode,
  }));
  await inParallel(carts, CARTS_AT_ONCE, (cart) => repository.create(cart));
  return carts;
};

/**
 * Starts a store with one endpoint.
 *
 * @param events the most events that it can send. Each has its own cart, which identifies it
 */
export const startHealthyStore = async (
  stage: LocalStage,
  documents: Documents,
  mode: Mode,
  events: number,
): Promise<HealthyStore> => {
  const sent = new Map<string, SentEvent>();
  const receiver = await startReceiver((cartId) => {
    const event = sent.get(cartId);
    if (event) event.arrivedAtMs = Math.min(event.arrivedAtMs, performance.now());
  });
  const store = await createStore(documents, mode);
  const endpoint = { url: receiver.url, eventTypes: ['cart.payment_failed'] };
  await callApi(stage.baseUrl, store.apiKey, ['POST', ENDPOINTS_PATH, endpoint]);
  const carts = await createCarts(documents, store, events);
  const decline = createDecline(stage);
  return {
    mode,
    async send(perSecond, count) {
      const startMs = performance.now();
      const requests = carts.splice(0, count).map(async (cart, index): Promise<SentEvent> => {
        await sleep(Math.max(0, startMs + (1_000 * index) / perSecond - performance.now()));
        const event: SentEvent = { sentAtMs: performance.now(), requestMs: NaN, arrivedAtMs: Infinity };
        sent.set(cart.id, event);
        await untilTaken(() => decline(cart));
        event.requestMs = performance.now() - event.sentAtMs;
        return event;
      });
      return Promise.all(requests);
    },
    close: receiver.close,
  };
};
