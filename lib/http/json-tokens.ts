const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const WHITE_SPACE = 1;
const STRUCTURE = 2;
const STRING = 3;

/** The kind of token that an ASCII character starts. All other characters belong to numbers and words. */
const KINDS = new Uint8Array(128);
for (const character of '\t\n\r ') KINDS[character.charCodeAt(0)] = WHITE_SPACE;
for (const character of '{}[]:,') KINDS[character.charCodeAt(0)] = STRUCTURE;
KINDS[QUOTE] = STRING;

/** The index after the string that starts at an index, or the length of the text if the string does not end. */
const endOfString = (json: string, start: number): number => {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
};

/** The index after the characters of a kind that start at an index. Kind 0 is a number or a word. */
const endOfRun = (json: string, start: number, kind: number): number => {
  let at = start + 1;
  while (at < json.length && (KINDS[json.charCodeAt(at)] ?? 0) === kind) at += 1;
  return at;
};

/**
 * Whether a JSON text has more than a number of tokens: strings, numbers, words and structural characters (RFC 8259, 2).
 * It reads the text once, allocates nothing, and stops at the first token too many. It accepts any text.
 */
export const hasMoreTokens = (json: string, tokensMax: number): boolean => {
  let tokens = 0;
  let at = 0;
  while (at < json.length) {
    const kind = KINDS[json.charCodeAt(at)] ?? 0;
    if (kind !== WHITE_SPACE) tokens += 1;
    if (tokens > tokensMax) return true;
    if (kind === STRING) at = endOfString(json, at);
    else at = kind === STRUCTURE ? at + 1 : endOfRun(json, at, kind);
  }
  return false;
};
