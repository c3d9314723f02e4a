import type { Browser } from 'playwright-core';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import type { Cart } from '../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { waitingCart } from '../../support/payments.ts';
import { stopProcesses } from '../../support/processes.ts';
import { cartBody } from '../../support/service.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';
import { launchChromium } from './chromium.ts';
import { type Merchant, startMerchant } from './merchant.ts';

/** A cart that was created through the API. */
export interface CreatedCart {
  readonly id: string;
  /** The payment address. */
  readonly redirectUrl: string;
}

/** A local stage in a process of its own, a merchant and a browser. */
export interface Sandbox {
  readonly stage: TestStage;
  readonly merchant: Merchant;
  readonly browser: Browser;

  /** Creates a cart through the API. */
  createCart(changes?: Record<string, unknown>, lang?: string): Promise<CreatedCart>;

  /** Stores a cart that the API would reject; returns the address of its page. */
  putCart(changes: Partial<Cart>): Promise<string>;

  /** Retrieves a cart through the API. */
  retrieve(cartId: string): Promise<Record<string, unknown>>;

  /** Sets the stage's clock ahead of the machine's. */
  advanceClock(seconds: number): Promise<void>;

  close(): Promise<void>;
}

export const startSandbox = async (): Promise<Sandbox> => {
  const [stage, merchant, browser] = await Promise.all([
    givenStage(['--data', 'memory'], SERVICE_WITH_CLOCK),
    startMerchant(),
    launchChromium(),
  ]);
  const apiKey = await stage.givenKey({ limit: 1_000 });
  const carts = createCartStore(
    createDocumentClient(localClientConfig(stage.dynamodbEndpoint)),
    LOCAL_TABLE_NAMES.carts,
  );
  return {
    stage,
    merchant,
    browser,
    createCart: async (changes = {}, lang = 'en-GB') => {
      const headers = { 'Accept-Language': lang };
      const response = await stage.createCart(cartBody(stage.productId, changes), { apiKey, headers });
      return { id: cartIdOf(response), redirectUrl: String(response.body['redirectUrl']) };
    },
    putCart: async (changes) => {
      const nowMs = Date.now();
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs, expiresAtMs: nowMs + 86_400_000 };
      const cart = waitingCart({ mode: 'test', ...times, ...changes });
      await carts.create(cart);
      return `${stage.baseUrl}/sandbox/checkout/${cart.id}`;
    },
    retrieve: async (cartId) => (await stage.getCart(cartId, { apiKey })).body,
    advanceClock: (seconds) => setClock(stage, { offsetMs: seconds * 1_000 }),
    close: async () => {
      await browser.close();
      await merchant.close();
      await stopProcesses();
    },
  };
};
