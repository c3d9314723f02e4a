import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_TABLE_NAMES, localClientConfig } from '../../infra/local-access/local-names.ts';
import { createDocumentClient } from '../../lib/aws/clients.ts';
import { countItems } from '../support/database/count-items.ts';
import { closeApiProxies, cutAtRandom, givenApiProxy } from '../support/examples/api-proxy.ts';
import { callerOf, testedClients, stopClients } from '../support/examples/clients.ts';
import { stopProcesses } from '../support/programs/processes.ts';
import { givenStage, type TestStage } from '../support/programs/stage-process.ts';
import { BUYER } from '../support/secrets.ts';

const CARTS = 1_000;

let stage: TestStage;

beforeAll(async () => {
  stage = await givenStage();
});

afterAll(async () => {
  stopClients();
  closeApiProxies();
  await stopProcesses();
});

test.each(testedClients())(
  'the client for $language creates exactly 1,000 carts with 1,000 calls although a third of the connections break',
  async (language) => {
    const { baseUrl, requests } = await givenApiProxy(stage.baseUrl, cutAtRandom(2, 1 / 3));
    const apiKey = await stage.givenKey({ limit: 10 * CARTS });
    // Without bounds that a series of broken connections could reach. The pauses take no time.
    const call = callerOf(language, {
      baseUrl,
      apiKey,
      retriesMax: 100,
      deadlineSeconds: Number.MAX_SAFE_INTEGER,
    });
    const documents = createDocumentClient(localClientConfig(stage.dynamodbEndpoint));
    const countCarts = () => countItems(documents, LOCAL_TABLE_NAMES.testCarts);
    const before = await countCarts();
    const ids = new Set<string>();
    for (let index = 0; index < CARTS; index += 1) {
      const cart = { productDocumentId: stage.productId, ...BUYER, meta: { order: String(index) } };
      const { value } = await call('createCart', [cart]);
      ids.add((value as { cart: { id: string } }).cart.id);
    }
    const created = (await countCarts()) - before;
    console.log(`${language.language}: ${CARTS} calls, ${requests.length} requests, ${created} carts`);
    expect({ created, returned: ids.size }).toStrictEqual({ created: CARTS, returned: CARTS });
    expect(requests.length).toBeGreaterThan(CARTS);
  },
);
