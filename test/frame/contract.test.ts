import { EVENT_TYPES, type EventType } from '../../lib/carts/cart-event.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { paymentCartSchema } from '../../functions/get-payment-cart/contract.ts';
import { OPERATIONS } from '../../functions/operations.ts';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { parsePaymentEvent, paymentDetailSchema } from '../../lib/carts/payment-event.ts';
import { EVENT_SCHEMAS } from '../../lib/carts/cart-event-schema.ts';
import { ERRORS as EXPLAINED } from '../../infra/contract/errors.ts';
import { API_ERRORS, type ApiErrorKind } from '../../lib/http/errors.ts';
import { ACTIONS } from '../../lib/sandbox/actions.ts';
import { nextDelayMs } from '../../lib/webhooks/schedule.ts';
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

const ERRORS = Object.values(API_ERRORS);

test('docs/contract.md, "Errors", lists every error with its exact code and message', () => {
  const listed = rows(CONTRACT, 'Errors', /^\d{3}$/).map((cells) => cells.slice(0, 3).join(' '));
  expect(listed.toSorted()).toStrictEqual(
    ERRORS.map(({ status, code, message }) => `${status} ${code} ${message}`).toSorted(),
  );
});

test('docs/integrate.md and the page of errors say the same: fix, retry or report', () => {
  const verbOf = (text = ''): string => /^(?:fix|retry|report)\b/i.exec(text)?.[0].toLowerCase() ?? text;
  const listed = rows(GUIDE, '5. Errors', /^\d{3}$/);
  expect(listed.map(([status, code, , action]) => `${status} ${code} ${verbOf(action)}`)).toStrictEqual(
    expect.arrayContaining(
      Object.entries(API_ERRORS).map(
        ([kind, { status, code }]) => `${status} ${code} ${verbOf(EXPLAINED[kind as ApiErrorKind].remedy)}`,
      ),
    ),
  );
  expect(listed).toHaveLength(ERRORS.length);
});

const FIELDS = [
  ['Create request', 'CreateCartCheckoutRequest'],
  ['Cart', 'RetrievedCart'],
  ['CustomerInfo', 'CustomerInfo'],
] as const;

test.each(FIELDS)('the section %s of docs/contract.md lists the fields of the schema %s', (section, name) => {
  const fields = Object.keys(components.schemas[name]?.properties ?? {});
  expect(new Set(rows(CONTRACT, section, /^[a-z]\w+$/).map(([field]) => field))).toStrictEqual(
    new Set(fields),
  );
});

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

test('docs/events.md has a row for each field of a payment event', () => {
  const [, table] = /^(\| Field of `detail`[^]+?)\n\n/m.exec(EVENTS) ?? [];
  const [, , ...listed] = rowsOf(table).map(([field]) => field);
  expect(listed).toStrictEqual(Object.keys(paymentDetailSchema.shape));
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

test('docs/events.md shows an event of each type with every field, and the form that the bus gets', () => {
  const examples = examplesOf('docs/events.md');
  const [onBus, ...more] = examples.splice(EVENT_TYPES.length);
  expect(more).toStrictEqual([]);
  expect(new Set(examples.map(({ type }) => type))).toStrictEqual(new Set(EVENT_TYPES));
  for (const example of examples) {
    // A schema of `z.object` drops the fields that it does not know.
    expect(EVENT_SCHEMAS[example['type'] as EventType].parse(example)).toStrictEqual(example);
  }
  const { store, mode, ...event } = onBus ?? {};
  expect(event).toStrictEqual(examples[0]);
  expect({ store, mode }).toMatchObject({ store: { id: expect.any(String) }, mode: 'live' });
});

test.each([
  ['docs/contract.md', CONTRACT, 'Events'],
  ['docs/events.md', sectionsOf(EVENTS), 'Out: events about carts'],
  ['docs/integrate.md', GUIDE, '4. Learn of payments'],
])('%s explains each type of event', (_, document, section) => {
  expect(rows(document, section, /^cart\.[a-z_]+$/).map(([type]) => type)).toStrictEqual([...EVENT_TYPES]);
});

test('docs/events.md explains each field of an event', () => {
  const listed = rows(sectionsOf(EVENTS), 'Out: events about carts', /^[a-z]+$/).map(([field]) => field);
  expect(listed).toStrictEqual(Object.keys(EVENT_SCHEMAS['cart.completed'].shape));
});

test('docs/events.md has the schedule of the attempts', () => {
  const units = { s: 1, min: 60, h: 3_600 } as const;
  const attempts = rowsOf(sectionsOf(EVENTS).get('Webhooks')).find(([name]) => name === 'After') ?? [];
  const seconds = attempts.slice(2).map((text) => {
    const [, count, unit = 's'] = /^(\d+) (\w+)$/.exec(text) ?? [];
    return Number(count) * units[unit as keyof typeof units];
  });
  const scheduled = seconds.map((_, index) => (nextDelayMs(index + 1, 0.5) ?? 0) / 1_000);
  expect(seconds).toStrictEqual(scheduled);
  expect(nextDelayMs(seconds.length + 1, 0.5)).toBeUndefined();
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
  ['cart-checkout.mjs', [...EVENT_TYPES, ...ERRORS.map(({ code }) => code)]],
  ['cart_checkout.py', ERRORS.map(({ code }) => code)],
  ['CartCheckout.php', []],
])('docs/clients/%s declares the fields, statuses, codes and events of the contract', (file, texts) => {
  const declared = new Set(readFileSync(`docs/clients/${file}`, 'utf8').match(/[\w.]+/g));
  const fields = Object.values(components.schemas).flatMap(({ properties = {} }) => Object.keys(properties));
  const words = new Set([...fields, ...CART_STATUSES, ...texts]);
  expect([...words].filter((word) => !declared.has(word))).toStrictEqual([]);
});
