import { NumberValue } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';

/** Every UTF-16 code unit, unpaired surrogates included. */
const codeUnits = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xff_ff }), fc.integer({ min: 0xd7_fe, max: 0xe0_01 })), {
    maxLength: 12,
  })
  .map((units) => String.fromCharCode(...units));

const codePoints = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 8 })
  .map((points) => String.fromCodePoint(...points));

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\u2028\u2029',
  '\uFEFF',
  '"\\/\b\f\n\r\t\u007F',
  '\uD800',
  'a\uDC00',
  '😀',
  'é\u0301',
  'null',
];

export const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  codePoints,
  codeUnits,
  fc.constantFrom(...ODD_TEXTS),
);

const ODD_NAMES = [
  '',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0',
  '-1',
  'S',
  'M',
  '*',
  'pk',
  'a.b',
  '#a',
];

/** `marshall` of the SDK takes it as a prototype, and sends a broken item. */
const isPossibleName = (name: string): boolean => name !== '__proto__';

/** Names of attributes. Those of {@link FIELDS} are frequent, so that expressions find them. */
export const FIELDS = ['a', 'b', 'n', 's'] as const;

export const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<string>(...FIELDS) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_NAMES) },
  { weight: 1, arbitrary: texts.filter(isPossibleName) },
);

const EDGE_NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  1e-7,
  1.5e21,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  5e-324,
  1e-130,
  1e-131,
  123_456.789,
];

const NUMBERS_NOT_ACCEPTED = [2 ** 53, -(2 ** 53), Infinity, -Infinity, NaN, 1e125];

const NUMBER_TEXTS = [
  '9'.repeat(38),
  `-${'9'.repeat(38)}`,
  '9'.repeat(39),
  '1e125',
  '9.9999999999999999999999999999999999999E+125',
  '1e126',
  '1E-130',
  '-0',
  '00012.500',
  '1_000',
  'one',
  '',
  `0.${'0'.repeat(40)}1`,
  '9007199254740993',
];

const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }),
  fc.constantFrom(...EDGE_NUMBERS),
);

const bigNumbers = fc.oneof(
  fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }),
  fc.constantFrom(...NUMBER_TEXTS).map((text) => NumberValue.from(text)),
);

/** Bytes in the forms that the SDK encodes. It sends the text of any other, such as `[object DataView]`. */
const bytes = fc.uint8Array({ maxLength: 24 });
const views: readonly ((source: Uint8Array) => Uint8Array)[] = [
  (source) => source,
  (source) => Buffer.from(source),
  (source) => new Uint8Array([1, 2, ...source, 3]).subarray(2, 2 + source.length),
  (source) => Buffer.from([1, ...source, 2]).subarray(1, 1 + source.length),
];
const binaries = fc.tuple(bytes, fc.constantFrom(...views)).map(([source, view]) => view(source));

const uniqueSet = <T>(members: fc.Arbitrary<T>): fc.Arbitrary<Set<T>> =>
  fc.array(members, { minLength: 1, maxLength: 4 }).map((values) => new Set(values));

const sets: fc.Arbitrary<unknown> = fc.oneof(
  uniqueSet(texts),
  uniqueSet(fc.integer()),
  uniqueSet(bigNumbers),
  uniqueSet(binaries),
  uniqueSet(fc.bigInt()),
);

/** Values that the SDK rejects, drops or converts. */
const oddValues: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  undefined,
  new Set(),
  new Set([1, 'one']),
  new Set([undefined, 'one']),
  new Set([null]),
  new Date(0),
  new URL('https://example.com/'),
  Symbol.iterator,
  () => 1,
  new (class Point {
    x = 1;
  })(),
  Object.create(null),
  Object.assign(Object.create({ inherited: 1 }) as object, { own: 2 }),
  new Map<string, unknown>([
    ['a', 1],
    ['b', undefined],
  ]),
  new Boolean(false),
  new Number(7),
  new String('boxed'),
  // oxlint-disable-next-line no-sparse-arrays
  [1, , undefined, 3],
  ...NUMBERS_NOT_ACCEPTED,
);

/** 32 levels are the most that DynamoDB stores. */
const nested = fc.tuple(fc.integer({ min: 28, max: 36 }), fc.boolean()).map(([depth, inLists]) => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level += 1) value = inLists ? [value] : { a: value };
  return value;
});

const scalars: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: texts },
  { weight: 4, arbitrary: numbers },
  { weight: 2, arbitrary: bigNumbers },
  { weight: 3, arbitrary: binaries },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: sets },
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    { weight: 16, arbitrary: scalars },
    { weight: 2, arbitrary: fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'value' }) },
    { weight: 2, arbitrary: fc.dictionary(names, tie('value'), { maxKeys: 4, depthIdentifier: 'value' }) },
  ),
}));

/** A value of an attribute as a caller writes it. Few of them are not accepted: each rejects a whole call. */
export const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 60, arbitrary: value },
  { weight: 1, arbitrary: oddValues },
  { weight: 1, arbitrary: nested },
);

/** The attributes of an item beside its key. */
export const attributes: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(names, values, { maxKeys: 6 });
