/** A double keeps each number of up to 15 digits. */
const SAFE_CHARACTERS = 15;

/** A number that is written longer counts as rounded: the work for {@link decimalOf} grows with the square of the length. */
const CHARACTERS_MAX = 100;

/** The digits of a decimal number without zeros at the ends, and the power of ten of the last one. */
const decimalOf = (text: string): string => {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return `${kept}e${kept === '' ? 0 : Number(exponent) - fraction.length + digits.length - kept.length}`;
};

/** Whether a number lost digits as a double. One beyond all doubles lost none: it is infinite, which no schema accepts. */
const isRounded = (source: string, value: number): boolean =>
  source.length > SAFE_CHARACTERS &&
  Number.isFinite(value) &&
  (source.length > CHARACTERS_MAX || decimalOf(source) !== decimalOf(String(value)));

/** Whether a copy of the field could change the prototype of an object. */
const namesPrototype = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' &&
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, 'prototype'));

/** The third argument of a reviver. `JSON.parse` sets `source` for a number, a text or a literal. */
interface Source {
  readonly source?: string;
}

/** A parsed JSON text. */
interface CheckedJson {
  readonly value: unknown;
  /** Whether there is a field `__proto__` or `constructor.prototype`, at any level. */
  readonly namesPrototype: boolean;
  /** The names of the fields of the outer object whose numbers lost digits as doubles. */
  readonly roundedNumbers: readonly string[];
}

/** Parses a JSON text once. `undefined` if it is no JSON. */
export const parseCheckedJson = (json: string): CheckedJson | undefined => {
  const rounded: { readonly holder: unknown; readonly name: string }[] = [];
  let hasPrototype = false;
  const check = function (this: unknown, name: string, value: unknown, { source = '' }: Source): unknown {
    if (namesPrototype(name, value)) hasPrototype = true;
    if (typeof value === 'number' && isRounded(source, value)) rounded.push({ holder: this, name });
    return value;
  };
  try {
    // TypeScript knows only two arguments of a reviver.
    const value: unknown = JSON.parse(json, check as Parameters<typeof JSON.parse>[1]);
    const ofRoot = rounded.filter(({ holder }) => holder === value);
    return { value, namesPrototype: hasPrototype, roundedNumbers: ofRoot.map(({ name }) => name) };
  } catch {
    return undefined;
  }
};
