import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractCollection } from '../../../infra/contract/collection.ts';
import { DEMO_STORES } from '../../../infra/local-access/demo-stores.ts';
import { OPERATIONS } from '../../support/contract/contract.ts';

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string };
    readonly header: readonly { readonly key: string; readonly disabled?: true }[];
    readonly body?: { readonly raw?: string };
  };
  readonly response: readonly { readonly code: number; readonly body: string }[];
}

const COLLECTION = contractCollection() as {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly Item[];
};

const itemFor = (method: string, path: string): Item | undefined =>
  COLLECTION.item.find(
    ({ request }) =>
      request.method === method && request.url.raw === `{{baseUrl}}${path.replaceAll(/[{}]/g, '$&$&')}`,
  );

test('the checked-in collection is up to date (`npm run contract` rewrites it)', () => {
  const checkedIn = readFileSync('docs/postman-collection.json', 'utf8');

  expect(checkedIn).toBe(`${JSON.stringify(COLLECTION, null, 2)}\n`);
});

test('its variables are those of the demo store, and its requests use no others', () => {
  const values = Object.fromEntries(COLLECTION.variable.map(({ key, value }) => [key, value]));
  const [store] = DEMO_STORES;
  const used = JSON.stringify(COLLECTION).matchAll(/\{\{(.*?)\}\}/g);

  expect(values).toMatchObject({ apiKey: store?.apiKey, productDocumentId: store?.products[0]?.id });
  expect(new Set([...used].map(([, name]) => name))).toStrictEqual(new Set(Object.keys(values)));
});

test.each(OPERATIONS)(
  'it has the request of $operationId, and each example of its responses',
  ({ method, path, responses }) => {
    const item = itemFor(method, path);

    const documented = Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => [Number(status), value]),
    );
    expect(item?.response.map(({ code, body }) => [code, JSON.parse(body) as unknown])).toStrictEqual(
      documented,
    );
  },
);

test('it creates a cart of the demo product, then pays it as the buyer', () => {
  const [creation, payment] = COLLECTION.item;

  expect(JSON.parse(creation?.request.body?.raw ?? '')).toMatchObject({
    productDocumentId: '{{productDocumentId}}',
  });
  expect(payment).toBe(itemFor('POST', '/sandbox/checkout/{cartId}'));
});
