import { countCharacters } from '../../core/characters.ts';

/** The characters of a JSON string, from its first quote to before its last one (RFC 8259, 7). */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*/y;

/** A number, or one of the three literal names (RFC 8259, 3 and 6). */
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;

const SPACE = /[\t\n\r ]*/y;

/** The index after a pattern that starts at an index: the same one if it does not. */
const after = (pattern: RegExp, json: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(json) ? pattern.lastIndex : at;
};

/** The tokens that can come next. `first`: also the end of the object or array. */
type Expected = 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'end';

/** Finds the first character at which a text is no JSON. `undefined` if it is JSON. */
const indexOfError = (json: string): number | undefined => {
  const open: ('{' | '[')[] = [];
  let expected = 'value' as Expected;
  for (let at = 0; ; at += 1) {
    at = after(SPACE, json, at);
    const character = json[at];
    const within = open.at(-1);
    if (character === undefined) return expected === 'end' && within === undefined ? undefined : at;
    const isClosing = character === (within === '{' ? '}' : ']') && within !== undefined;
    if (isClosing && (expected === 'end' || expected === 'firstKey' || expected === 'firstValue')) {
      open.pop();
      expected = 'end';
    } else if (expected === 'end') {
      if (character !== ',' || within === undefined) return at;
      expected = within === '{' ? 'key' : 'value';
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      expected = 'value';
    } else if (character === '"') {
      at = after(STRING, json, at);
      if (json[at] !== '"') return at;
      expected = expected === 'key' || expected === 'firstKey' ? 'colon' : 'end';
    } else if (expected === 'key' || expected === 'firstKey') {
      return at;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'firstKey' : 'firstValue';
    } else {
      const end = after(SCALAR, json, at);
      if (end === at) return at;
      at = end - 1;
      expected = 'end';
    }
  }
};

/**
 * Says where a text is no JSON, by one character and its position: code points, from 0. The error of V8 would quote the text.
 * `undefined` if it is JSON.
 */
export const jsonSyntaxIssue = (json: string): string | undefined => {
  const index = indexOfError(json);
  if (index === undefined) return undefined;
  const position = countCharacters(json.slice(0, index));
  const character = String.fromCodePoint(json.codePointAt(index) ?? 0);
  if (index === json.length) return `it ends too early, at position ${position}`;
  const code = character.codePointAt(0) ?? 0;
  const shown = /[\p{L}\p{N}\p{P}\p{S}]/u.test(character)
    ? character
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `unexpected ${shown} at position ${position}`;
};
