import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PUBLIC_OPERATIONS, type PublicOperation } from '../../../infra/contract/contracts.ts';
import { OPERATIONS, openValidator } from '../../support/contract/contract.ts';

type Body = Readonly<Record<string, unknown>>;

/** White space, similar characters, and characters of one and of two UTF-16 units. */
const SPACES = Array.from(' \t\n\v\f\r\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000\ufeff');
const OTHERS = Array.from('aZ09_-.@/\\:?#%{}"|\u0000\u001c\u007f\u0085\u180e\u200b\u200d\u2060éſ🎈');
const UNITS = [...SPACES, ...OTHERS];

/** All small lengths, and those around usual bounds. */
const LENGTHS = Array.from({ length: 131 }, (_, length) => length).concat(
  [200, 254, 256, 300, 400, 500, 512, 1_000, 1_024, 2_000, 2_048, 4_096, 10_000].flatMap((bound) => [
    bound - 1,
    bound,
    bound + 1,
  ]),
);

const POWERS = Array.from({ length: 20 }, (_, exponent) => 10 ** exponent);
const NUMBERS = [0.5, 1e-9, Number.MIN_VALUE, Number.MAX_VALUE, 0].concat(
  POWERS.flatMap((power) => [power - 1, power, power + 1]),
);

const entries = (count: number): Body =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

/** Objects of every length, made once: they have 76,000 entries. */
const COUNTED = LENGTHS.map(entries);

/** Values around every possible bound: the example with other lengths, characters and types. */
const valuesFor = (example: unknown): readonly unknown[] => {
  const text = typeof example === 'string' ? example : '';
  const pieces = LENGTHS.flatMap((length) => ['a', '9', '🎈'].map((unit) => unit.repeat(length)));
  const padded = LENGTHS.map((length) => text + 'x'.repeat(Math.max(0, length - text.length)));
  const edited = Array.from(text).flatMap((_, at) =>
    UNITS.flatMap((unit) => [at, at + 1].map((end) => text.slice(0, at) + unit + text.slice(end))),
  );
  const objects = pieces.flatMap((piece) => [{ [piece]: 'v' }, { k: piece }]);
  const others = [null, true, [], [example], {}, { k: 1 }, { k: null }];
  const numbers = NUMBERS.flatMap((number) => [number, -number]);
  return [pieces, padded, edited, objects, COUNTED, numbers, others].flat(1);
};

/** Texts with white space of every kind before, within and after. */
const spacedTexts = fc
  .tuple(
    fc.array(fc.constantFrom(...SPACES), { maxLength: 3 }),
    fc.oneof(
      fc.array(fc.constantFrom(...UNITS), { maxLength: 5 }),
      fc.array(fc.constantFrom(...UNITS), { minLength: 96, maxLength: 102 }),
    ),
    fc.array(fc.constantFrom(...SPACES), { maxLength: 3 }),
  )
  .map((parts) => parts.flat().join(''));

const givenRequest = ({ operationId, request }: PublicOperation) => {
  const documented = OPERATIONS.find((operation) => operation.operationId === operationId);
  const validate = openValidator(documented!.requestBody!.content['application/json'].schema);
  const example: Body = Object.assign({}, ...Object.values(request!.examples).map(({ value }) => value));
  return {
    example,
    isDocumented: (body: unknown): boolean => validate(body),
    isAccepted: (body: unknown): boolean => request!.schema.safeParse(body).success,
  };
};

/**
 * JSON Schema cannot require that an address parses by the URL standard, or has no unknown placeholder. It also leaves out
 * that an empty array counts as an empty object, because generated types would allow any array.
 */
const isExpressible = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value)) return true;
  return URL.canParse(value) && !/\{(?!CART_ID\})[\w.-]+\}/.test(value);
};

const operations = PUBLIC_OPERATIONS.filter(({ request }) => request);

describe.each(operations)(
  'the contract and the running schema of $operationId accept the same',
  (operation) => {
    const { example, isDocumented, isAccepted } = givenRequest(operation);
    const fields = Object.keys(operation.request!.schema.shape);

    /** Expects the same verdict of both on a value of a field, and returns it. */
    const verdictOn = (field: string, value: unknown): boolean => {
      const body = { ...example, [field]: value };
      const verdict = isAccepted(body);
      if (isExpressible(value) && isDocumented(body) !== verdict) {
        const deed = verdict ? 'rejects' : 'accepts';
        const shown = JSON.stringify(value).slice(0, 200);
        expect.unreachable(
          `The contract ${deed} ${field} ${shown}, the running schema does not: correct its z.meta`,
        );
      }
      return verdict;
    };

    test('every field has an example; add a new one to an example', () => {
      expect(Object.keys(example).toSorted()).toStrictEqual(fields.toSorted());
      expect(isAccepted(example)).toBe(true);
    });

    test.each(fields)('%s, at every bound, of every type, with white space anywhere', (field) => {
      const verdicts = new Set(valuesFor(example[field]).map((value) => verdictOn(field, value)));

      expect(verdicts).toStrictEqual(new Set([true, false]));
      fc.assert(
        fc.property(spacedTexts, (text) => {
          verdictOn(field, text);
        }),
        { numRuns: 200 },
      );
    });

    test('bodies that lack a field, have an unknown one or are not an object', () => {
      const lacking = fields.map((field) => ({ ...example, [field]: undefined }));
      for (const body of [...lacking, { ...example, unknown: 1 }, {}, null, [], 'a', 1, true]) {
        const sent: unknown = JSON.parse(JSON.stringify(body));
        expect(isDocumented(sent), JSON.stringify(sent)).toBe(isAccepted(sent));
      }
    });
  },
);
