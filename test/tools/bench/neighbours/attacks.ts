import { randomUUID } from 'node:crypto';
import { OPERATIONS } from '../../../../functions/operations.ts';
import { LOCAL_TABLE_NAMES } from '../../../../infra/local-access/local-names.ts';
import { DEFAULT_LIMITS } from '../../../../lib/api-keys/limits.ts';
import { cartEvent } from '../../../../lib/carts/cart-event.ts';
import type { Cart } from '../../../../lib/carts/cart.ts';
import type { Documents } from '../../../../lib/database/documents.ts';
import { inParallel } from '../../../../lib/core/in-parallel.ts';
import type { Mode } from '../../../../lib/stores/mode.ts';
import { createEventLog } from '../../../../lib/events/event-log.ts';
import { createProductCatalogue } from '../../../../lib/operators/product-catalogue.ts';
import { ENDPOINTS_MAX } from '../../../../lib/endpoints/endpoint.ts';
import type { LocalStage } from '../http/stage.ts';
import { benchCart, PRODUCT } from '../support/items.ts';
import type { SlowReceiver } from '../webhooks/slow-receiver.ts';
import { BUYER } from '../../../support/secrets.ts';
import { createDecline } from './decline.ts';
import { paced, waitUntil } from './paced.ts';
import { type ApiResult, callApi, createStore, ENDPOINTS_PATH, type KeyedStore } from './stores.ts';

/** The stage, mode and receiver of an attack. */
export interface Site {
  readonly stage: LocalStage;
  readonly documents: Documents;
  readonly mode: Mode;
  /** The receiver of all attacking endpoints. */
  readonly receiver: SlowReceiver;
  readonly isQuick: boolean;
  /** Counts an outcome: the status of a response, or the kind of an error. */
  readonly count: (outcome: number | string) => void;
}

export interface Attack {
  /** The attack, as the report describes it. */
  readonly title: string;
  /** When the attacking endpoints respond. Absent: never. */
  readonly responseMs?: number;
  /** Whether they respond at once until the attack begins. */
  readonly isQuickAtFirst?: boolean;
  /** Prepares the attack. Returns the function that attacks until the signal aborts. */
  readonly prepare: (site: Site) => Promise<(signal: AbortSignal) => Promise<unknown>>;
}

/** The refill of a key with the default limits. */
const KEY_REQUESTS_PER_SECOND = DEFAULT_LIMITS.limit / DEFAULT_LIMITS.windowSeconds;

/** An attempt fails after 10 s. A success keeps the breaker closed. */
const SLOW_RESPONSE_MS = 9_500;

const URL_CHANGES_PER_SECOND = 8;

/** An endpoint takes one test event in ten seconds: ten endpoints take almost one each second. */
const TEST_EVENTS_PER_SECOND = 0.97;

/** Each becomes ten deliveries. More would occupy the processors of the local stage. */
const DECLINES_PER_SECOND = 10;

const STORES = 100;

/** Enough for the five failures of each store that open the breaker of its endpoint. */
const EVENTS_AT_FIRST = { perSecond: STORES, seconds: 10 };
const EVENTS_PER_SECOND_LATER = STORES / 10;

const WRITES_AT_ONCE = 10;

const FIRST_EVENTS_MS_MAX = 30_000;

/** Counts the outcome of an action: what it returns, or the name of its error. */
const counted = async ({ count }: Site, action: () => Promise<number | string>): Promise<void> =>
  count(await action().catch((error: unknown) => (error instanceof Error ? error.name : 'error')));

/** The calls of an attacking store. Each counts its outcome. */
const createAttacker = async (site: Site) => {
  const { stage, documents, mode } = site;
  const { url } = site.receiver;
  const store = await createStore(documents, mode);
  const call = async (...request: Parameters<typeof callApi>[2]): Promise<Partial<ApiResult>> => {
    let result: Partial<ApiResult> = {};
    await counted(site, async () => {
      const response = await callApi(stage.baseUrl, store.apiKey, request);
      result = response;
      return response.status;
    });
    return result;
  };
  /** Returns the id of the new endpoint. It has no filter, so it gets the events about endpoints too. */
  const createEndpoint = async (): Promise<string | undefined> => {
    const { body } = await call('POST', ENDPOINTS_PATH, { url });
    return (body as CreatedEndpoint | undefined)?.webhookEndpoint?.id;
  };
  return { store, call, createEndpoint };
};

interface CreatedEndpoint {
  readonly webhookEndpoint?: { readonly id: string };
}

interface CreatedCart {
  readonly cart?: { readonly id: string };
}

const cartOf = ({ storeId, mode }: KeyedStore, id: string): Cart => ({
  ...benchCart(id, Date.now()),
  storeId,
  mode,
});

/** Creates a store with as many endpoints as it may have. */
const createFullAttacker = async (site: Site) => {
  const attacker = await createAttacker(site);
  const ids: string[] = [];
  for (let count = 0; count < ENDPOINTS_MAX; count += 1) {
    const id = await attacker.createEndpoint();
    if (id !== undefined) ids.push(id);
  }
  return { ...attacker, ids };
};

const changeAddresses: Attack['prepare'] = async (site) => {
  const { call, ids } = await createFullAttacker(site);
  return (signal) =>
    paced(URL_CHANGES_PER_SECOND, signal, async (turn) => {
      const url = `${site.receiver.url}/${turn}`;
      await call('PATCH', `${ENDPOINTS_PATH}/${ids[turn % ids.length]}`, { url });
    });
};

const sendTestEvents: Attack['prepare'] = async (site) => {
  const { call, ids } = await createFullAttacker(site);
  return (signal) =>
    paced(TEST_EVENTS_PER_SECOND, signal, async (turn) => {
      await call('POST', `${ENDPOINTS_PATH}/${ids[turn % ids.length]}/test`);
    });
};

const replaceEndpoints: Attack['prepare'] = async (site) => {
  const { call, createEndpoint, ids } = await createFullAttacker(site);
  return (signal) =>
    // A replacement is two requests.
    paced(KEY_REQUESTS_PER_SECOND / 2, signal, async () => {
      const oldest = ids.shift();
      if (oldest !== undefined) {
        const { status } = await call('DELETE', `${ENDPOINTS_PATH}/${oldest}`);
        // 404: the response of an earlier deletion was lost. After another error, the endpoint may still exist.
        if (status !== 200 && status !== 404) return void ids.push(oldest);
      }
      // While a removed endpoint counts, the creation of another one is rejected: a later turn tries again.
      const next = await createEndpoint();
      if (next !== undefined) ids.push(next);
    });
};

const declinePayments: Attack['prepare'] = async (site) => {
  const { documents, isQuick } = site;
  const { store, call } = await createFullAttacker(site);
  const product = { ...PRODUCT, id: `product-${randomUUID()}`, storeId: store.storeId };
  await createProductCatalogue(documents, LOCAL_TABLE_NAMES.products).put(product);
  const carts: Cart[] = [];
  const createCart = async (): Promise<boolean> => {
    const order = { productDocumentId: product.id, ...BUYER };
    const { body } = await call('POST', OPERATIONS.createCartCheckout.path, order);
    const cart = (body as CreatedCart | undefined)?.cart;
    if (cart) carts.push(cartOf(store, cart.id));
    return cart !== undefined;
  };
  // First, use all tokens of the key.
  const atFirst = isQuick ? 10 : DEFAULT_LIMITS.limit;
  while (carts.length < atFirst && (await createCart()));
  const decline = createDecline(site.stage);
  return (signal) =>
    Promise.all([
      paced(KEY_REQUESTS_PER_SECOND, signal, async () => void (await createCart())),
      paced(DECLINES_PER_SECOND, signal, (turn) => counted(site, () => decline(carts[turn % carts.length]!))),
    ]);
};

/** Records the events directly, because a hundred requests a second would occupy the local stage. */
const failAtOnce: Attack['prepare'] = async (site) => {
  const { documents, isQuick } = site;
  const stores: KeyedStore[] = [];
  await inParallel(Array.from({ length: isQuick ? 10 : STORES }), WRITES_AT_ONCE, async () => {
    const { store, createEndpoint } = await createAttacker(site);
    await createEndpoint();
    stores.push(store);
  });
  // Each endpoint receives the event of its creation.
  await waitUntil(() => site.receiver.counts().attempts >= stores.length, FIRST_EVENTS_MS_MAX);
  const events = createEventLog(documents, LOCAL_TABLE_NAMES.events, { now: Date.now });
  const record = (turn: number): Promise<void> =>
    counted(site, async () => {
      const store = stores[turn % stores.length]!;
      const cart = cartOf(store, randomUUID());
      const event = cartEvent({ type: 'cart.payment_failed', cart, cause: randomUUID() });
      return (await events.append(store, { event, writes: [] })).outcome;
    });
  return async (signal) => {
    site.receiver.slowDown();
    const first = AbortSignal.timeout(1_000 * EVENTS_AT_FIRST.seconds);
    await paced(EVENTS_AT_FIRST.perSecond, AbortSignal.any([signal, first]), record);
    await paced(EVENTS_PER_SECOND_LATER, signal, record);
  };
};

/** The attacks of one store, or of many, on the webhooks of others. */
export const ATTACKS = {
  'address-changes': {
    title: `ten endpoints that hang, and ${URL_CHANGES_PER_SECOND} changes of their addresses a second`,
    prepare: changeAddresses,
  },
  'test-events': {
    title: 'ten endpoints that hang, and a test event each second',
    prepare: sendTestEvents,
  },
  'slow-responses': {
    title: `ten endpoints that respond after ${SLOW_RESPONSE_MS / 1_000} s, carts at the rate of a key, and ${DECLINES_PER_SECOND} failed payments a second`,
    responseMs: SLOW_RESPONSE_MS,
    prepare: declinePayments,
  },
  'new-endpoints': {
    title: `ten endpoints that hang, and are deleted and created again at the rate of a key`,
    prepare: replaceEndpoints,
  },
  'many-stores': {
    title: `${STORES} stores, whose endpoints were quick and hang at once`,
    isQuickAtFirst: true,
    prepare: failAtOnce,
  },
} satisfies Readonly<Record<string, Attack>>;

export type AttackName = keyof typeof ATTACKS;

export const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[];
