import { describe, expect, it } from 'vitest';
import { unknownNames } from '../../../lib/requests/unknown-names.ts';

const KNOWN = { body: ['overlapSeconds'], query: ['after', 'limit'], headers: ['idempotency-key'] };

const WORDS = {
  query: {
    aliases: { after: 'cursor startingafter', other: 'unknown' },
    unsupported: [{ names: 'type eventtype', reason: 'the list has all events', beside: 'after' }],
  },
  headers: { aliases: { 'idempotency-key': 'idempotencytoken' } },
};

const NOTHING = { body: undefined, query: null, headers: {} };

const find = (request: Partial<typeof NOTHING> | object) =>
  unknownNames(KNOWN, WORDS)({ ...NOTHING, ...request });

describe('an unknown parameter of a query', () => {
  it.each([
    ['cursor', 'after'],
    ['starting_after', 'after'],
    ['StartingAfter', 'after'],
    ['After', 'after'],
    ['atfer', 'after'],
    ['Limit', 'limit'],
    ['limits', 'limit'],
    ['limit[]', 'limit'],
    ['amp;limit', 'limit'],
  ])('that means an absent one is found: %s', (name, meant) => {
    expect(find({ query: { [name]: ['1'] } })).toStrictEqual([
      {
        path: `query.${name}`,
        message: `Unknown parameter ${name}; did you mean ${meant}?`,
        means: `query.${meant}`,
        loggedAs: `query.${meant}`,
      },
    ]);
    expect(find({ query: { [name]: ['1'], [meant]: ['1'] } })).toStrictEqual([]);
  });

  it('that no parameter here means has the reason', () => {
    expect(find({ query: { event_type: ['a'], utm_source: ['b'], unknown: ['c'] } })).toStrictEqual([
      {
        path: 'query.event_type',
        message: 'Unknown parameter event_type; the list has all events',
        loggedAs: 'eventtype',
      },
    ]);
    expect(find({ query: { event_type: ['a'], after: ['b'] } })).toStrictEqual([]);
  });
});

describe('an unknown header', () => {
  it.each([
    'x-idempotency-key',
    'idempotency_key',
    'idempotencykey',
    'idempotency-keys',
    'idempotency-token',
  ])('that means an absent one is found: %s', (name) => {
    expect(find({ headers: { host: 'a', [name]: 'b' } })).toStrictEqual([
      {
        path: `headers.${name}`,
        message: `Unknown header ${name}; did you mean idempotency-key?`,
        means: 'headers.idempotency-key',
        loggedAs: 'headers.idempotency-key',
      },
    ]);
    expect(find({ headers: { [name]: 'b', 'idempotency-key': 'c' } })).toStrictEqual([]);
  });

  it('is found behind those that a browser, a proxy and a gateway add', () => {
    const added = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`added-${index}`, 'a']));
    expect(find({ headers: { ...added, 'x-idempotency-key': 'b' } })).toHaveLength(1);
  });

  it('is none of another part, because proxies add headers', () => {
    expect(find({ headers: { after: '1', limit: '1', 'x-overlapseconds': '1' } })).toStrictEqual([]);
  });
});

describe('a name in the wrong part', () => {
  it.each([
    ['query', 'overlapSeconds', 'parameter', 'send overlapSeconds in the body', 'overlapSeconds'],
    ['query', 'overlap_seconds', 'parameter', 'send overlapSeconds in the body', 'overlapSeconds'],
    ['query', 'idempotencyKey', 'parameter', 'send idempotency-key as a header', 'headers.idempotency-key'],
    ['body', 'idempotency_key', 'field', 'send idempotency-key as a header', 'headers.idempotency-key'],
    ['body', 'cursor', 'field', 'send after in the query', 'query.after'],
  ] as const)('has its place in the message: %s %s', (part, name, noun, reason, meant) => {
    const path = part === 'query' ? `query.${name}` : name;
    const message = `Unknown ${noun} ${name}; ${reason}`;
    expect(find({ [part]: { [name]: ['x'] } })).toStrictEqual([
      { path, message, means: meant, loggedAs: meant },
    ]);
  });

  it('passes beside the right one, and is not looked for if its own part has it', () => {
    expect(find({ query: { overlapSeconds: ['1'] }, body: { overlapSeconds: 0 } })).toStrictEqual([]);
    expect(find({ query: { Limit: ['1'] } })).toMatchObject([{ loggedAs: 'query.limit' }]);
  });
});

it('an operation without names has no unknown ones', () => {
  const request = { body: { a: 1 }, query: { cursor: ['1'] }, headers: { 'x-idempotency-key': 'a' } };
  expect(unknownNames({})(request)).toStrictEqual([]);
});
