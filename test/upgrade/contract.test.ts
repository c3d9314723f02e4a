import { expect, it, test } from 'vitest';
import { contractDocument } from '../../infra/contract/document.ts';
import { contractToStore, FIXTURES, readContract } from './fixtures.ts';

/**
 * The loosenings since each fixture. A client generated from its contract still sends valid requests, and can read all responses.
 */
const LOOSENINGS: Readonly<Record<string, readonly string[]>> = {
  '2026-11-27': [
    // Types of events that an endpoint may select.
    'changed components.schemas.CreateWebhookEndpointRequest.properties.eventTypes.items.pattern',
    'changed components.schemas.UpdateWebhookEndpointRequest.properties.eventTypes.items.pattern',
    // `null` counts as absent.
    'changed components.schemas.UpdateWebhookEndpointRequest.properties.url.type',
    'changed components.schemas.UpdateWebhookEndpointRequest.properties.enabled.type',
    'changed components.schemas.RotateWebhookSecretRequest.properties.overlapSeconds.type',
  ],
};

/** The keywords of OpenAPI whose entries have names. A later version may add an entry. */
const MAPS: ReadonlySet<string | undefined> = new Set(
  'paths webhooks schemas responses headers links properties tags x-extensible-enum'.split(' '),
);

/** Keywords that change no type of an earlier client. */
const REMARKS: ReadonlySet<string> = new Set(['links', 'x-extensible-enum']);

/** The values of an object by key, or of an array by name or text. `undefined` for any other value. */
const entriesOf = (value: unknown): ReadonlyMap<string, unknown> | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  return new Map(
    value.map((item: unknown) => {
      const { name } = Object(item) as { name?: string };
      return [name ?? JSON.stringify(item), item];
    }),
  );
};

/** Whether no client of the earlier contract notices an entry that it does not know. */
const isHarmless = (path: readonly string[], key: string, value: unknown): boolean => {
  const [owner, map] = path.toReversed();
  if (owner === 'parameters') return !(value as { required: boolean }).required;
  // A response may have more fields. A request of an earlier client lacks a field that becomes required.
  if (owner === 'required') return !path.some((name) => name.endsWith('Request'));
  // An event of a new type was an `OtherEvent`.
  if (owner === 'anyOf' && map === 'Event') return true;
  return MAPS.has(owner) || map === 'paths' || REMARKS.has(key);
};

/** The differences of a later contract that are not harmless additions. */
const changesOf = (earlier: unknown, later: unknown, path: readonly string[] = []): string[] => {
  const before = entriesOf(earlier);
  const after = entriesOf(later);
  if (!before || !after) return earlier === later ? [] : [`changed ${path.join('.')}`];
  const at = (key: string): string => [...path, key].join('.');
  return [
    ...[...before.keys()].filter((key) => !after.has(key)).map((key) => `removed ${at(key)}`),
    ...[...after]
      .filter(([key, value]) => !before.has(key) && !isHarmless(path, key, value))
      .map(([key]) => `added ${at(key)}`),
    ...[...before].flatMap(([key, value]) =>
      after.has(key) ? changesOf(value, after.get(key), [...path, key]) : [],
    ),
  ];
};

test.each(FIXTURES)('the contract only adds to that of %s, but for its loosenings', (date) => {
  const later = contractToStore(contractDocument());

  expect(new Set(changesOf(readContract(date), later))).toStrictEqual(new Set(LOOSENINGS[date]));
});

const EARLIER = {
  paths: { '/a': { get: { parameters: [{ name: 'limit', required: false }] } } },
  components: {
    schemas: {
      Cart: { required: ['id'], properties: { id: { type: 'string' } } },
      CreateRequest: { required: ['id'], properties: { id: { type: 'string', maxLength: 9 } } },
      Event: { anyOf: [{ $ref: 'A' }] },
      Status: { enum: ['open'] },
      Reason: { 'x-extensible-enum': ['a'] },
    },
  },
};

it.each<[string, (text: string) => string, readonly string[]]>([
  ['a field', (text) => text.replace('"id":{', '"note":{"type":"string"},"id":{'), []],
  ['a required field of a response', (text) => text.replace('["id"]', '["id","note"]'), []],
  ['a type of events', (text) => text.replace('{"$ref":"A"}', '{"$ref":"A"},{"$ref":"B"}'), []],
  ['a method', (text) => text.replace('"get"', '"post":{},"get"'), []],
  ['an optional parameter', (text) => text.replace('[{', '[{"name":"a","required":false},{'), []],
  [
    'a required parameter',
    (text) => text.replace('[{', '[{"name":"a","required":true},{'),
    ['added paths./a.get.parameters.a'],
  ],
  [
    'a required field of a request',
    (text) => text.replace(/\["id"\](?=.*maxLength)(?!.*\["id"\])/, '["id","note"]'),
    ['added components.schemas.CreateRequest.required."note"'],
  ],
  [
    'a bound',
    (text) => text.replace('"maxLength"', '"minLength":1,"maxLength"'),
    ['added components.schemas.CreateRequest.properties.id.minLength'],
  ],
  [
    'another bound',
    (text) => text.replace('9', '8'),
    ['changed components.schemas.CreateRequest.properties.id.maxLength'],
  ],
  [
    'a value of an enumeration',
    (text) => text.replace('"open"', '"open","shut"'),
    ['added components.schemas.Status.enum."shut"'],
  ],
  ['a value of an open list', (text) => text.replace('["a"', '["b","a"'), []],
  [
    'a removed value of an open list',
    (text) => text.replace('["a"]', '["b"]'),
    ['removed components.schemas.Reason.x-extensible-enum."a"'],
  ],
  [
    'a removed field',
    (text) => text.replace('"id":{', '"no":{'),
    ['removed components.schemas.Cart.properties.id'],
  ],
])('a comparison finds each difference but harmless additions: %s', (_kind, change, found) => {
  const text = JSON.stringify(EARLIER);

  expect(change(text)).not.toBe(text);
  expect(changesOf(EARLIER, JSON.parse(change(text)))).toStrictEqual(found);
});
