import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../../infra/local/local-database.ts';
import { createCartStore } from '../../../lib/carts/cart-store.ts';
import { type Cart, newCart } from '../../../lib/carts/cart.ts';
import { createDocumentClient } from '../../../lib/dynamodb.ts';
import { cartIdOf } from '../../support/http-client.ts';
import { stopProcesses } from '../../support/processes.ts';
import { BUYER } from '../../support/secrets.ts';
import { givenStage, SERVICE_WITH_CLOCK, setClock, type TestStage } from '../../support/stage.ts';
import { launchChromium } from './chromium.ts';
import { type Merchant, startMerchant } from './merchant.ts';

/** A cart that was created over the API. */
export interface CreatedCart {
  readonly id: string;
  /** Where the buyer pays. */
  readonly redirectUrl: string;
}

/** A local stage as a process, a merchant and a browser. */
export interface Sandbox {
  readonly stage: TestStage;
  readonly merchant: Merchant;
  readonly browser: Browser;

  /** Creates a cart as a merchant does. */
  createCart(changes?: Record<string, unknown>, lang?: string): Promise<CreatedCart>;

  /** Puts a cart straight into the database, for what the API would refuse; returns the address of its page. */
  putCart(changes: Partial<Cart>): Promise<string>;

  /** What the API tells of a cart. */
  retrieve(cartId: string): Promise<Record<string, unknown>>;

  /** Sets the stage's clock so far ahead of the machine's. */
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
      const answer = await stage.createCart(
        JSON.stringify({ productDocumentId: stage.productId, ...BUYER, ...changes }),
        {
          apiKey,
          headers: { 'Accept-Language': lang },
        },
      );
      return { id: cartIdOf(answer), redirectUrl: String(answer.body['redirectUrl']) };
    },
    putCart: async (changes) => {
      const cart = newCart(
        {
          id: randomUUID(),
          storeId: 'store-1',
          mode: 'test',
          customerInfo: { ...BUYER },
          productId: 'course',
          productName: 'Course',
          price: { amount: 19.99, currency: 'EUR' },
          meta: {},
          requestFingerprint: 'fingerprint',
          nowMs: Date.now(),
        },
        { expirySeconds: 86_400, retentionSeconds: 86_400 },
      );
      await carts.create({ ...cart, ...changes });
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
