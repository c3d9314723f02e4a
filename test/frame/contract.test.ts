import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paymentCartSchema } from '../../functions/get-payment-cart/contract.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { parsePaymentEvent, paymentDetailSchema, refundDetailSchema } from '../../lib/carts/payment-event.ts';
import { EVENT_SCHEMAS } from '../../lib/carts/cart-event-schema.ts';
import { EVENT_TYPES } from '../../lib/carts/cart-event.ts';
import { API_ERRORS } from '../../lib/http/errors.ts';
import { ACTIONS } from '../../lib/sandbox/actions.ts';
import { rowsOf, sectionsOf } from './markdown.ts';

const CONTRACT = sectionsOf(readFileSync('docs/contract.md', 'utf8'));
const EVENTS = readFileSync('docs/events.md', 'utf8');
const GUIDE = sectionsOf(readFileSync('docs/integrate.md', 'utf8'));

interface Schema {
  readonly properties?: object;
}
const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

/** The rows of a section whose first cell looks like this. */
const rows = (document: typeof CONTRACT, section: string, first: RegExp): string[][] =>
  rowsOf(document.get(section)).filter(([cell = '']) => first.test(cell));

const ERROR_CODES = Object.values(API_ERRORS).map(({ code }) => code);

test('docs/contract.md, "Endpoints", lists the operations of merchants', () => {
  const listed = rows(CONTRACT, 'Endpoints', /./).map(([name, route]) => `${name} ${route}`);
  const operations = Object.entries(OPERATIONS).filter(([, { caller }]) => caller === 'merchant');
  expect(operations).not.toStrictEqual([]);
  for (const [name, { method, path }] of operations) expect(listed).toContain(`${name} ${method} ${path}`);
});

test('both documents explain every status, and the guide every action of the sandbox', () => {
  const named = (document: typeof CONTRACT, section: string): Set<string | undefined> =>
    new Set(rows(document, section, /^[a-z_]+$/).map(([name]) => name));
  expect(named(CONTRACT, 'Statuses')).toStrictEqual(new Set(CART_STATUSES));
  expect(named(GUIDE, "3. Handle the buyer's return")).toStrictEqual(new Set(['status', ...CART_STATUSES]));
  expect(named(GUIDE, '7. Test mode')).toStrictEqual(new Set(ACTIONS));
});

test('docs/events.md has a row for each field of a payment event and of a refund', () => {
  const tables = EVENTS.match(/^\| Field of `detail`[^]+?\n\n/gm) ?? [];
  const listed = tables.map((table) =>
    rowsOf(table.trim())
      .slice(2)
      .map(([field]) => field),
  );
  const schemas = [paymentDetailSchema, refundDetailSchema];
  expect(listed).toStrictEqual(schemas.map(({ shape }) => Object.keys(shape)));
});

test('the service can record the event that docs/events.md sends', () => {
  const [, entries = ''] = /--entries '([^']+)'/.exec(EVENTS) ?? [];
  const cartId = '45075ab2-c0c2-4a6d-89b4-3b442bbef853';
  const [entry] = JSON.parse(entries.replace('{cartId}', cartId)) as { DetailType: string; Detail: string }[];
  const detail = JSON.parse(entry?.Detail ?? '') as unknown;
  const event = { 'detail-type': entry?.DetailType, detail };
  expect(parsePaymentEvent(JSON.stringify(event), Date.UTC(2026, 10, 21))).toMatchObject({
    ok: true,
    event: {
      cartId,
      mode: 'live',
      payment: { eventId: 'evt-1', result: 'succeeded', amount: 49.9, currency: 'EUR' },
    },
  });
});

/** The JSON examples of a document. */
const examplesOf = (path: string): Record<string, unknown>[] =>
  [...readFileSync(path, 'utf8').matchAll(/```json\n([^`]+)```/g)].map(
    ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
  );

test('the event that docs/events.md shows is one', () => {
  const [event, ...more] = examplesOf('docs/events.md');
  // A schema of `z.object` drops the fields that it does not know.
  expect(EVENT_SCHEMAS['cart.completed'].parse(event)).toStrictEqual(event);
  expect(more).toStrictEqual([]);
});

test('docs/events.md explains each field of an event', () => {
  const listed = rows(sectionsOf(EVENTS), 'Out: events about carts and endpoints', /^[a-z]+$/).map(
    ([field]) => field,
  );
  expect(listed).toStrictEqual(Object.keys(EVENT_SCHEMAS['cart.completed'].shape));
});

test('docs/payments.md shows and explains every field of a cart to charge', () => {
  const [example] = examplesOf('docs/payments.md');
  expect(paymentCartSchema.parse(example)).toStrictEqual(example);
  const payments = sectionsOf(readFileSync('docs/payments.md', 'utf8'));
  const listed = rows(payments, 'Read the cart', /^[a-z]\w+$/).map(([field]) => field);
  expect(listed).toStrictEqual(Object.keys(paymentCartSchema.shape));
  const addresses = rows(payments, 'Send the buyer back', /^[a-z]+$/).map(([name]) => name);
  expect(addresses).toStrictEqual(Object.keys(example?.['returnUrls'] as object));
});

test.each([
  ['cart-checkout.mjs', [...EVENT_TYPES, ...ERROR_CODES]],
  ['cart_checkout.py', ERROR_CODES],
  ['CartCheckout.php', []],
])('docs/clients/%s declares the fields, statuses, codes and events of the contract', (file, texts) => {
  const declared = new Set(readFileSync(`docs/clients/${file}`, 'utf8').match(/[\w.]+/g));
  const fields = Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties));
  const words = new Set([...fields, ...CART_STATUSES, ...texts]);
  expect([...words].filter((word) => !declared.has(word))).toStrictEqual([]);
});
