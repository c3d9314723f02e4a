import { expect } from 'vitest';

/** Expects an object to have the declared names, of which those with a question mark may be absent. */
const expectNames = (object: object, declared: readonly string[]): void => {
  const names = Object.keys(object);
  expect(declared.map((name) => name.replace('?', ''))).toEqual(expect.arrayContaining(names));
  expect(names).toEqual(expect.arrayContaining(declared.filter((name) => !name.endsWith('?'))));
};

/** Expects a line of JSON to have the declared form, such as `keys(keyId label?) unreadable?`. */
export const expectForm = (line: string, form: string): void => {
  const result = JSON.parse(line) as Readonly<Record<string, object>>;
  const parts = [...form.matchAll(/(\w+\??)(?:\(([^)]*)\))?/g)];
  expectNames(
    result,
    parts.map(([, name = '']) => name),
  );
  for (const [, name = '', within] of parts) {
    if (within === undefined) continue;
    for (const row of [result[name.replace('?', '')] ?? []].flat()) expectNames(row, within.split(' '));
  }
};
