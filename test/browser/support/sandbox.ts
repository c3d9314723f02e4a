import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local-access/local-names.ts';
import { createDocumentClient } from '../../../lib/aws/clients.ts';
import { createCartRepository } from '../../../lib/carts/cart-repository.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createOperatorStoreRepository } from '../../../lib/operators/operator-store-repository.ts';
import { cartBody } from '../../support/domain/cart-body.ts';
import { waitingCart } from '../../support/domain/payments.ts';
import { stopProcesses } from '../../support/programs/processes.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock } from '../../support/programs/stage-process.ts';
import { cartIdOf } from '../../support/service/http-client.ts';
import { launchChromium } from './chromium.ts';
import { startMerchant } from './merchant.ts';

/** Starts a local stage in a process of its own, a merchant and a browser. They end after the tests of the file. */
export const startSandbox = async () => {
  const [stage, merchant, browser] = await Promise.all([
    givenStage(['--data', 'memory'], SERVICE_WITH_CLOCK),
    startMerchant(),
    launchChromium(),
  ]);
  const apiKey = await stage.givenKey({ limit: 1_000 });
  const documents = createDocumentClient(localClientConfig(stage.dynamodbEndpoint));
  const carts = createCartRepository(documents, LOCAL_TABLE_NAMES.testCarts, Date.now);
  const stores = createOperatorStoreRepository(documents, LOCAL_TABLE_NAMES.stores);
  afterAll(async () => {
    await browser.close();
    await merchant.close();
    await stopProcesses();
  });
  return {
    merchant,
    browser,
    baseUrl: stage.baseUrl,
    dynamodbEndpoint: stage.dynamodbEndpoint,

    /** Creates a cart through the API; returns its id and its payment address. */
    createCart: async (changes: Record<string, unknown> = {}, lang = 'en-GB') => {
      const headers = { 'Accept-Language': lang };
      const response = await stage.createCart(cartBody(stage.productId, changes), { apiKey, headers });
      return { id: cartIdOf(response), redirectUrl: String(response.body['redirectUrl']) };
    },

    /** Stores a store with a name that `operate` would reject; returns its id. */
    putStore: async (name: string): Promise<string> => {
      const id = randomUUID();
      await stores.put({ id, name, createdAtMs: Date.now() });
      return id;
    },

    /** Stores a cart that the API would reject; returns the address of its page. */
    putCart: async (changes: Partial<Cart>): Promise<string> => {
      const nowMs = Date.now();
      const expiresAtMs = nowMs + 86_400_000;
      const times = {
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
        expiresAtMs,
        deleteAtSeconds: expiresAtMs / 1_000 + 3_600,
      };
      const cart = waitingCart({ mode: 'test', ...times, ...changes });
      await carts.create(cart);
      return `${stage.baseUrl}/sandbox/checkout/${cart.id}`;
    },

    /** Retrieves a cart through the API. */
    retrieve: async (cartId: string): Promise<Record<string, unknown>> =>
      (await stage.getCart(cartId, { apiKey })).body,

    /** Sets the stage's clock ahead of the machine's. */
    advanceClock: (seconds: number): Promise<void> => setClock(stage, { offsetMs: seconds * 1_000 }),
  };
};
