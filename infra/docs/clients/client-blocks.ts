import { EVENT_TYPES } from '../../../lib/events/event-types.ts';
import { type ClientType, clientTypes, type Field, type PlainType, type Value } from './client-types.ts';

const COLUMNS = 120;
const INDENT = ' *   ';

/** Breaks a long line of a comment after some of the separators, which end with a space. */
const wrap = (line: string, separator: string, indent = INDENT): string => {
  const start = line.length > COLUMNS ? line.lastIndexOf(separator, COLUMNS - separator.length) : -1;
  if (start < indent.length) return line;
  const rest = line.slice(start + separator.length);
  return `${line.slice(0, start)}${separator.trimEnd()}\n${wrap(`${indent}${rest}`, separator, indent)}`;
};

const quoted = (quote: string, texts: readonly string[], separator: string): string =>
  texts.map((text) => `${quote}${text}${quote}`).join(separator);

type Plain = Readonly<Record<PlainType, string>>;

const JAVASCRIPT: Plain = {
  text: 'string',
  integer: 'number',
  number: 'number',
  sentNumber: 'number',
  boolean: 'boolean',
  true: 'true',
  meta: 'Record<string, string>',
  empty: '{}',
};

const inJavaScript = (value: Value): string => {
  switch (value.kind) {
    case 'name':
      return value.name;
    case 'const':
      return `'${value.text}'`;
    case 'openTexts':
      return `${quoted("'", value.texts, ' | ')} | (string & {})`;
    case 'list':
      return `${inJavaScript(value.of)}[]`;
    case 'sentList':
      return `readonly ${inJavaScript(value.of)}[]`;
    case 'nullable':
      return `${inJavaScript(value.of)} | null | undefined`;
    case 'plain':
      return JAVASCRIPT[value.type];
  }
};

const javaScriptType = (type: ClientType): string => {
  if (type.kind === 'union' || type.kind === 'texts') {
    const members = type.kind === 'union' ? type.members : [quoted("'", type.texts, ' | ')];
    const open = type.kind === 'texts' && type.isOpen ? [...members, '(string & {})'] : members;
    // On one line: the compiler copies a type of several lines to the declarations with the stars of the comment.
    return `/** @typedef {${open.join(' | ')}} ${type.name} ${type.meaning.split('. ')[0]} */`;
  }
  const property = ({ name, value, isRequired, meaning }: Field): string => {
    // With `exactOptionalPropertyTypes`, a field of a request must say that it can be undefined.
    const isSent = /^New|Changes$/.test(type.name) && !isRequired && value.kind !== 'nullable';
    const key = isRequired ? name : `[${name}]`;
    const end = `${key} ${meaning}`.trimEnd();
    return wrap(` * @property {${inJavaScript(value)}${isSent ? ' | undefined' : ''}} ${end}`, ' ');
  };
  const head = wrap(` * @typedef {object} ${type.name} ${type.meaning}`.trimEnd(), ' ');
  return ['/**', head, ...type.fields.map(property), ' */'].join('\n');
};

const PYTHON: Plain = {
  text: 'str',
  integer: 'int',
  number: 'float',
  sentNumber: 'float | Decimal',
  boolean: 'bool',
  true: 'Literal[True]',
  meta: 'dict[str, str]',
  empty: 'dict[str, object]',
};

const inPython = (value: Value): string => {
  switch (value.kind) {
    case 'name':
      return value.name;
    case 'const':
      return `Literal["${value.text}"]`;
    case 'openTexts':
      return `Literal[${quoted('"', value.texts, ', ')}] | str`;
    case 'list':
      return `list[${inPython(value.of)}]`;
    case 'sentList':
      return `Sequence[${inPython(value.of)}]`;
    case 'nullable':
      return `${inPython(value.of)} | None`;
    case 'plain':
      return PYTHON[value.type];
  }
};

const docstring = (text: string): readonly string[] =>
  text === '' ? [] : [wrap(`    """${text}"""`, ' ', '    '), ''];

const pythonType = (type: ClientType): string => {
  const wrapped = (line: string, separator: string) => wrap(line, separator, '    ');
  if (type.kind === 'union') return `${type.name} = Union[\n    ${type.members.join(',\n    ')},\n]`;
  if (type.kind === 'texts') {
    const texts = `Literal[\n    ${quoted('"', type.texts, ',\n    ')},\n]`;
    return `${type.name} = ${type.isOpen ? `Union[${texts}, str]` : texts}`;
  }
  const field = ({ name, value, isRequired, meaning }: Field): readonly string[] => [
    `    ${name}: ${isRequired ? inPython(value) : `NotRequired[${inPython(value)}]`}`,
    ...docstring(meaning).slice(0, 1),
  ];
  return [
    `class ${type.name}(TypedDict):`,
    ...docstring(wrapped(type.meaning, ' ')),
    ...type.fields.flatMap(field),
  ].join('\n');
};

const PHP: Plain = {
  text: 'string',
  integer: 'int',
  number: 'float|int',
  sentNumber: 'float|int',
  boolean: 'bool',
  true: 'true',
  meta: 'array<string, string>',
  empty: 'array{}',
};

const inPhp = (value: Value): string => {
  switch (value.kind) {
    case 'name':
      return value.name;
    case 'const':
      return `'${value.text}'`;
    // A union with `string` would be `string`.
    case 'openTexts':
      return 'string';
    case 'list':
    case 'sentList':
      return `list<${inPhp(value.of)}>`;
    case 'nullable':
      return `${inPhp(value.of)}|null`;
    case 'plain':
      return PHP[value.type];
  }
};

const phpType = (type: ClientType): string => {
  // On one line: PHPStan ends a union at the end of the line.
  if (type.kind === 'union') return ` * @phpstan-type ${type.name} ${type.members.join('|')}`;
  if (type.kind === 'texts')
    return ` * @phpstan-type ${type.name} ${type.isOpen ? 'string' : quoted("'", type.texts, '|')}`;
  const fields = type.fields.map(
    ({ name, value, isRequired }) => `${name}${isRequired ? '' : '?'}: ${inPhp(value)}`,
  );
  return wrap(` * @phpstan-type ${type.name} array{${fields.join(', ')}}`, ', ');
};

/** The other languages make it from their list of types. */
const EVENT_TYPE: ClientType = {
  kind: 'texts',
  name: 'EventType',
  meaning: '',
  texts: EVENT_TYPES,
  isOpen: false,
};

/** One text a line, each with a comma. */
const listed = (before: string, texts: readonly string[], quote: string): string =>
  texts.map((text) => `${before}${quote}${text}${quote},`).join('\n');

/** The types of the contract in each client, by the path of the client. */
export const CLIENT_BLOCKS = {
  'clients/node/cart-checkout.mjs': {
    types: () => clientTypes().map(javaScriptType).join('\n\n'),
    eventTypes: () =>
      `export const EVENT_TYPES = /** @type {const} */ ([\n${listed('  ', EVENT_TYPES, "'")}\n]);`,
  },
  'clients/python/src/cart_checkout/__init__.py': {
    types: () => clientTypes().map(pythonType).join('\n\n\n'),
    eventTypes: () => `EventType = Literal[\n${listed('    ', EVENT_TYPES, '"')}\n]`,
  },
  'clients/php/src/CartCheckout.php': {
    types: () => [EVENT_TYPE, ...clientTypes()].map(phpType).join('\n'),
    eventTypes: () => `    public const EVENT_TYPES = [\n${listed('        ', EVENT_TYPES, "'")}\n    ];`,
  },
};
