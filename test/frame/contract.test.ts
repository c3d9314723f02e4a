import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../functions/operations.ts';
import { CART_EVENTS } from '../../infra/cart-events.ts';
import { CART_STATUSES } from '../../lib/carts/cart.ts';
import { parsePaymentEvent, paymentDetailSchema } from '../../lib/carts/payment-event.ts';
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

const ERRORS = Object.values(API_ERRORS);

test('docs/contract.md, "Errors", lists every error with its exact code and message', () => {
  const listed = rows(CONTRACT, 'Errors', /^\d{3}$/).map((cells) => cells.slice(0, 3).join(' '));
  expect(listed.toSorted()).toStrictEqual(
    ERRORS.map(({ status, code, message }) => `${status} ${code} ${message}`).toSorted(),
  );
});

test('docs/integrate.md says for every error whether to fix, retry or report it', () => {
  const listed = rows(GUIDE, '5. Errors', /^\d{3}$/);
  expect(listed.map(([status, code]) => `${status} ${code}`).toSorted()).toStrictEqual(
    ERRORS.map(({ status, code }) => `${status} ${code}`).toSorted(),
  );
  for (const cells of listed) expect(cells[3], cells.join()).toMatch(/^(?:fix|retry|report)\b/);
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

test('docs/events.md shows every field of the events about carts', () => {
  const shown = [...EVENTS.matchAll(/```json\n([^`]+)```/g)].map(
    ([, json = '']) => JSON.parse(json) as object,
  );
  const fields = Object.values(CART_EVENTS).map((event) => Object.keys(event.fields));
  expect(shown.map((detail) => Object.keys(detail))).toStrictEqual(fields);
});
