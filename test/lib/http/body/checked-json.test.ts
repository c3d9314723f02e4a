import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCheckedJson } from '../../../../lib/http/body/checked-json.ts';

it.each([
  ['{"a":0.99999999999999999}', ['a']],
  ['{"a":1.009999999999999999999,"b":1}', ['a']],
  // As PHP writes 49.9 with `serialize_precision` of 17.
  ['{"a":49.899999999999999}', ['a']],
  ['{"a":9007199254740993,"b":-12345678901234567891e-3}', ['a', 'b']],
  ['{"a":1e400,"b":10000000000000000.1}', ['b']],
  ['{"a":49.90000000000000000,"b":49e5}', []],
  ['{"a":0.0000000000000000000,"b":-0.00000000000000000}', []],
  ['{"a":100000000000000000000,"b":10000000000000000e-16,"c":1E+21}', []],
  ['{"a":"0.99999999999999999","b":[0.99999999999999999],"c":{"d":0.99999999999999999}}', []],
  [`{"a":1.${'0'.repeat(98)},"b":1.${'0'.repeat(99)}}`, ['b']],
  ['0.99999999999999999', []],
  ['[0.99999999999999999]', ['0']],
])('the fields whose numbers lose digits, at the top level: %s', (json, names) => {
  expect(parseCheckedJson(json)?.roundedNumbers).toStrictEqual(names);
});

it('no number that JavaScript writes loses digits', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (a) => {
      expect(parseCheckedJson(JSON.stringify({ a }))?.roundedNumbers).toStrictEqual([]);
    }),
  );
});

it.each([
  ['{"__proto__":1}', true],
  ['[{"a":{"__proto__":{}}}]', true],
  ['{"\\u005f_proto__":null}', true],
  ['{"constructor":{"prototype":null}}', true],
  ['{"a":[{"constructor":{"prototype":{}}}]}', true],
  ['{"constructor":{},"prototype":{},"a":"__proto__"}', false],
  ['{"constructor":null}', false],
])('a field with the name of a prototype is found at any level: %s', (json, isFound) => {
  expect(parseCheckedJson(json)?.namesPrototype).toBe(isFound);
});
