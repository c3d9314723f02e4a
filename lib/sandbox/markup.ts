/** Markup that may stand in a page as it is: only {@link markup} and {@link trusted} make it. */
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
  // HTML turns a carriage return into a line feed unless it is written so.
  '\r': '&#13;',
  // HTML cannot hold it in any form.
  '\0': '\uFFFD',
};

/** A text as HTML, for an element's content or a quoted attribute. */
const escape = (text: string): string =>
  text.replaceAll(/[&<>"'\r\0]/g, (character) => REFERENCES[character] ?? '');

type Value = string | Markup | readonly Markup[] | undefined | false;

const render = (value: Value): string => {
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'string') return escape(value);
  return value ? value.map(render).join('') : '';
};

/** A template tag: the template's own text is markup, every string put into it is text; `undefined` and `false` are nothing. */
export const markup = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(parts.reduce((page, part, index) => page + render(values[index - 1]) + part));

/** Text of this program's own that is markup already. */
export const trusted = (text: string): Markup => new Markup(text);
