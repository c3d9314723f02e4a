import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonSyntaxIssue } from '../../../../lib/http/body/json-syntax.ts';

it.each([
  ["{'a':1}", "unexpected ' at position 1"],
  ['{"a":1,}', 'unexpected } at position 7'],
  ['{"a":1,"b":[1,]}', 'unexpected ] at position 14'],
  ['{"a" 1}', 'unexpected 1 at position 5'],
  ['{"a":01}', 'unexpected 1 at position 6'],
  ['{"a":NaN}', 'unexpected N at position 5'],
  ['{"a":1} {', 'unexpected { at position 8'],
  ['{"a":1]', 'unexpected ] at position 6'],
  ['{a:1}', 'unexpected a at position 1'],
  ['[1 2]', 'unexpected 2 at position 3'],
  ['email=a', 'unexpected e at position 0'],
  ['{"🎈":“x”}', 'unexpected “ at position 5'],
  ['{"a":"b\nc"}', 'unexpected U+000A at position 7'],
  ['{"a":"\\x"}', 'unexpected \\ at position 6'],
  ['{"a":\u00a01}', 'unexpected U+00A0 at position 5'],
  ['{"a":"b', 'it ends too early, at position 7'],
  ['{"a":', 'it ends too early, at position 5'],
  ['', 'it ends too early, at position 0'],
])('the first wrong character has its position: %s', (json, message) => {
  expect(jsonSyntaxIssue(json)).toBe(message);
});

it('only JSON has no wrong character', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, index, inserted) => {
      const at = index % (json.length + 1);
      const text = json.slice(0, at) + inserted + json.slice(at);
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(jsonSyntaxIssue(text) === undefined).toBe(isJson);
    }),
    { numRuns: 2_000 },
  );
});

it('a long text without an end takes no longer than its length', () => {
  expect(jsonSyntaxIssue(`{"${'a'.repeat(130_000)}`)).toBe('it ends too early, at position 130002');
});
