/** A digit, and 15 more characters of a number. A double keeps each number of up to 15 digits. */
const LONG_NUMBER = /\d[\d.]{15}/;

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

const isRounded = (source: string, kept: string): boolean =>
  source.length > CHARACTERS_MAX || decimalOf(source) !== decimalOf(kept);

/** The third argument of a reviver. `JSON.parse` sets `source` for a number, a text or a literal. */
interface Source {
  readonly source?: string;
}

/**
 * The names of the fields of a JSON object whose numbers lose digits as doubles. A text with a long number is parsed a second
 * time, because the reviver of Middy's parser does not get the text of a number.
 *
 * @param json a valid JSON text
 */
export const roundedNumbers = (json: string): readonly string[] => {
  if (!LONG_NUMBER.test(json)) return [];
  const rounded: { readonly holder: unknown; readonly name: string }[] = [];
  const root = JSON.parse(json, function (this: unknown, name: string, value: unknown, context?: Source) {
    const { source } = context ?? {};
    if (Number.isFinite(value) && source !== undefined && isRounded(source, String(value))) {
      rounded.push({ holder: this, name });
    }
    return value;
  } as (this: unknown, name: string, value: unknown) => unknown) as unknown;
  return rounded.filter(({ holder }) => holder === root).map(({ name }) => name);
};
