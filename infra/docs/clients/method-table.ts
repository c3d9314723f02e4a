import { readFileSync } from 'node:fs';
import { code, codes, table } from '../blocks/markdown.ts';
import { DECLARATIONS } from './client-declarations.ts';

const CLIENT = 'clients/node/cart-checkout.mjs';

/** A comment of documentation, and the first line of the code behind it. */
interface Documented {
  readonly lines: readonly string[];
  readonly code: string;
}

/** Each line is the description or a tag. A tag that continues on the next line is one line here. */
const commentsIn = (source: string): readonly Documented[] =>
  Array.from(source.matchAll(/^ *\/\*\*\n((?: *\*.*\n)+?) *\*\/\n(.*)/gm), ([, comment = '', line = '']) => ({
    lines: comment
      .replaceAll(/^ *\* ?/gm, '')
      .replaceAll(/\n {2,}/g, ' ')
      .replaceAll(/\n(?=[^@\n])/g, ' ')
      .split('\n')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
    code: line,
  }));

/** The properties of each type of options, with their meanings. */
const optionTypesIn = (comments: readonly Documented[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    comments.flatMap(({ lines }) => {
      const [, name] =
        lines.map((line) => /^@typedef \{object\} (\w+Options)\b/.exec(line)).find(Boolean) ?? [];
      const properties = lines.flatMap((line) => {
        const [, property, meaning = ''] = /^@property \{.*\} \[?(\w+)\]? ?(.*)$/.exec(line) ?? [];
        return property === undefined ? [] : `${code(property)}${meaning && `: ${meaning}`}`;
      });
      return name === undefined || name === 'CallOptions' ? [] : [[name, properties] as const];
    }),
  );

/** The result of a method: its type, or the type of the pages of an iterator. */
const resultOf = (type: string): string => {
  const [, page] = /^AsyncGenerator<(\w+)/.exec(type) ?? [];
  if (page !== undefined) return `an iterator of ${code(page)}`;
  return code(type.includes(' is ') ? 'boolean' : type.replace(/^Promise<(.*)>$/, '$1'));
};

const optionsOf = (lines: readonly string[], types: ReadonlyMap<string, readonly string[]>): string => {
  const [, type = '', meaning = ''] =
    lines.map((line) => /^@param \{(.*)\} \[options\] ?(.*)$/.exec(line)).find(Boolean) ?? [];
  const own = Array.from(type.matchAll(/(\w+)\?:/g), ([, name = '']) => code(name));
  const named = [...types].flatMap(([name, properties]) => (type.includes(name) ? properties : []));
  return [
    ...named,
    ...(own.length > 0 || meaning !== '' ? [[own.join(', '), meaning].filter(Boolean).join(': ')] : []),
  ]
    .filter(Boolean)
    .join('; ');
};

/** The functions and the public methods of the client in its declarations. */
const publicNames = (declarations: string): ReadonlySet<string> => {
  const [, members = ''] = /^export declare class CartCheckout \{\n(.*?)^\}/ms.exec(declarations) ?? [];
  const methods = Array.from(members.matchAll(/^ {4}(?:static )?(\w+)\(/gm), ([, name = '']) => name);
  const functions = Array.from(
    declarations.matchAll(/^export declare const (\w+): \(/gm),
    ([, name = '']) => name,
  );
  return new Set([...functions, ...methods].filter((name) => !['constructor', 'toString'].includes(name)));
};

/**
 * The methods of the clients, from the comments of the one for Node.js.
 *
 * @throws Error if a public method has no comment
 */
export const methodTable = (declarations = readFileSync(DECLARATIONS, 'utf8')): string => {
  const names = publicNames(declarations);
  const withoutRow = new Set(names);
  const comments = commentsIn(readFileSync(CLIENT, 'utf8'));
  const types = optionTypesIn(comments);
  /** The first method with several options, by their text. The others refer to it. */
  const firstWith = new Map<string, string>();
  const rows = comments.flatMap(({ lines, code: line }) => {
    const [, name = ''] = /^(?: {2}(?:static |async )*\*?|export const )(\w+)/.exec(line) ?? [];
    if (!names.has(name)) return [];
    withoutRow.delete(name);
    const [, returned = '', meaning = ''] =
      lines.map((each) => /^@returns \{(.*?)\}(?: (.*))?$/.exec(each)).find(Boolean) ?? [];
    const given = lines.flatMap((each) => /^@param \{.*\} (\w+)(?: |$)/.exec(each)?.[1] ?? []);
    const options = optionsOf(lines, types);
    const first = firstWith.get(options);
    if (options.includes(';')) firstWith.set(options, name);
    return [
      [
        code(name),
        codes(given),
        first === undefined ? options : `as ${code(first)}`,
        [resultOf(returned), meaning].filter(Boolean).join(': '),
      ],
    ];
  });
  if (withoutRow.size > 0) throw new Error(`${CLIENT} has no comment of ${[...withoutRow].join(', ')}.`);
  return table([['Method', 'Arguments', 'Options', 'Result'], ...rows]);
};
