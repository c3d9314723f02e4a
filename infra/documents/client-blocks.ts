import { contractSchema, nameOf, type Property } from './contract-schemas.ts';

/** How a language writes the types of JSON. */
interface Language {
  readonly string: string;
  readonly integer: string;
  readonly number: string;
  /** A number that the merchant sends. */
  readonly sentNumber: string;
  readonly true: string;
  readonly texts: string;
  readonly listOf: (type: string) => string;
  readonly nullable: (type: string) => string;
  /** The types that have another name in this client than in the contract. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A field of a type. */
interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The description in the contract. */
  readonly meaning: string;
}

const CREATED = ['Cart'];
const RETRIEVED = ['RetrievedCart'];
const REQUEST = ['CreateCartCheckoutRequest'];

/** @throws Error if it has no type for the property yet */
const typeOf = (language: Language, property: Property, isSent: boolean): string => {
  const { $ref, type, items, additionalProperties } = property;
  if ($ref !== undefined) return language.names?.[nameOf($ref)] ?? nameOf($ref);
  if (type !== undefined && typeof type !== 'string') {
    const [one = 'null', ...others] = type.filter((each) => each !== 'null');
    if (others.length === 0) return language.nullable(typeOf(language, { ...property, type: one }, isSent));
  }
  if (type === 'string') return language.string;
  if (type === 'number' && property.multipleOf === 1) return language.integer;
  if (type === 'number') return isSent ? language.sentNumber : language.number;
  if (type === 'boolean' && property.const === true) return language.true;
  if (type === 'array' && items) return language.listOf(typeOf(language, items, isSent));
  if (type === 'object' && additionalProperties?.type === 'string') return language.texts;
  throw new Error(`The clients have no type for ${JSON.stringify(property)}`);
};

/** The fields of a type that has those of each schema. It requires the fields that each schema requires. */
const fieldsOf = (language: Language, names: readonly string[]): readonly Field[] => {
  const schemas = names.map(contractSchema);
  const properties = Object.entries(
    Object.assign({}, ...schemas.map((each) => each.properties)) as Record<string, Property>,
  );
  return properties.map(([name, property]) => ({
    name,
    type: typeOf(language, property, names.includes('CreateCartCheckoutRequest')),
    isRequired: schemas.every(({ required = [] }) => required.includes(name)),
    meaning: property.description ?? '',
  }));
};

const JAVASCRIPT: Language = {
  string: 'string',
  integer: 'number',
  number: 'number',
  sentNumber: 'number',
  true: 'true',
  texts: 'Record<string, string>',
  listOf: (type) => `${type}[]`,
  nullable: (type) => `${type} | null | undefined`,
};

const COLUMNS = 120;
const INDENT = ' *   ';

/** Breaks a long line of a comment after some of the separators, which end with a space. */
const wrap = (line: string, separator: string): string => {
  const start = line.length > COLUMNS ? line.lastIndexOf(separator, COLUMNS - separator.length) : -1;
  if (start < INDENT.length) return line;
  const rest = line.slice(start + separator.length);
  return `${line.slice(0, start)}${separator.trimEnd()}\n${wrap(`${INDENT}${rest}`, separator)}`;
};

const typedef = (name: string, meaning: string, schemas: readonly string[]): string =>
  [
    '/**',
    ` * @typedef {object} ${name} ${meaning}`,
    ...fieldsOf(JAVASCRIPT, schemas).map((field) => {
      const key = field.isRequired ? field.name : `[${field.name}]`;
      return wrap(` * @property {${field.type}} ${key} ${field.meaning}`.trimEnd(), ' ');
    }),
    ' */',
  ].join('\n');

const PYTHON: Language = {
  string: 'str',
  integer: 'int',
  number: 'float',
  sentNumber: 'Union[float, Decimal]',
  true: 'Literal[True]',
  texts: 'dict[str, str]',
  listOf: (type) => `list[${type}]`,
  nullable: (type) => `Optional[${type}]`,
};

/** Python 3.9 has no class with required and optional fields. A type with both has a class of the required ones, and inherits it. */
const typedDict = (name: string, meaning: string, schemas: readonly string[]): string => {
  const fields = fieldsOf(PYTHON, schemas);
  const lines = (isRequired: boolean) =>
    fields
      .filter((field) => field.isRequired === isRequired)
      .map((field) => `    ${field.name}: ${field.type}`);
  const isWhole = fields.every((field) => field.isRequired);
  const required = [`class _Required${name}(TypedDict):`, ...lines(true), '', ''];
  return [
    ...(isWhole ? [] : required),
    `class ${name}(${isWhole ? 'TypedDict' : `_Required${name}, total=False`}):`,
    `    """${meaning}"""`,
    '',
    ...lines(isWhole),
  ].join('\n');
};

const PHP: Language = {
  string: 'string',
  integer: 'int',
  number: 'float|int',
  sentNumber: 'float|int',
  true: 'true',
  texts: 'array<string, string>',
  listOf: (type) => `list<${type}>`,
  nullable: (type) => (type.includes('|') ? `${type}|null` : `?${type}`),
  names: { CartStatus: 'Status' },
};

const arrayShape = (name: string, schemas: readonly string[]): string => {
  const fields = fieldsOf(PHP, schemas).map(
    (field) => `${field.name}${field.isRequired ? '' : '?'}: ${field.type}`,
  );
  return wrap(` * @phpstan-type ${name} array{${fields.join(', ')}}`, ', ');
};

const CART = 'A cart as its retrieval returns it. A value that does not exist is absent.';
const CREATED_CART = 'A cart as its creation returns it. Times are ISO 8601 in UTC.';
const NEW_CART =
  'The fields of a cart to create. `{CART_ID}` in `redirectURL` stands for the id of the cart.';

/** The types of carts in each client, by the path of the client. */
export const CLIENT_BLOCKS: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  'docs/clients/cart-checkout.mjs': () => ({
    carts: [
      typedef('CreatedCart', CREATED_CART, CREATED),
      typedef('Cart', CART, RETRIEVED),
      typedef('NewCart', NEW_CART, REQUEST),
    ].join('\n\n'),
  }),
  'docs/clients/cart_checkout.py': () => ({
    carts: [
      typedDict('CreatedCart', CREATED_CART, CREATED),
      typedDict('Cart', CART, RETRIEVED),
      typedDict('NewCart', NEW_CART, REQUEST),
    ].join('\n\n\n'),
  }),
  'docs/clients/CartCheckout.php': () => ({
    carts: [
      arrayShape('CreatedCart', CREATED),
      // PHP has one type for the carts of all events.
      arrayShape('Cart', [...RETRIEVED, 'DuplicatePaymentData', 'RefundedData']),
      arrayShape('NewCart', REQUEST),
    ].join('\n'),
  }),
};
