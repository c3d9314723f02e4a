/** Safe HTML. Only {@link markup} and {@link trusted} may construct it. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // HTML parsers turn an unescaped carriage return into a line feed.
  '\r': '&#13;',
  // HTML has no form for NUL.
  '\0': '\uFFFD',
};

/** Escapes a text for an element's content or a quoted attribute. */
const escape = (text: string): string =>
  text.replaceAll(/[&<>"'\r\0]/g, (character) => REFERENCES[character] ?? '');

type Value = string | Markup | readonly Markup[] | undefined | false;

const render = (value: Value): string => {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'string') return escape(value);
  return value ? value.map(render).join('') : '';
};

/** A template tag. It escapes every inserted string, and inserts nothing for `undefined` and `false`. */
export const markup = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(parts.reduce((page, part, index) => page + render(values[index - 1]) + part));

/** Marks HTML of this program as safe. Never pass a text from outside. */
export const trusted = (text: string): Markup => new Markup(text);
