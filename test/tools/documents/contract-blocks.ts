import { contractDocument } from '../../../infra/contract/document.ts';
import { ERRORS } from '../../../infra/contract/errors.ts';
import { createCartRequestSchema } from '../../../lib/carts/create-cart-request.ts';
import { LOGGED_TYPES } from '../../../lib/webhooks/endpoint-event.ts';
import { WEBHOOK_MEANINGS } from '../../../lib/webhooks/webhook-schemas.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import { nextDelayMs } from '../../../lib/webhooks/schedule.ts';
import { code, table } from './markdown.ts';

/** Every error, by status. */
export const errorTable = (): string => {
  const rows = (Object.keys(API_ERRORS) as ApiErrorKind[])
    .toSorted((a, b) => API_ERRORS[a].status - API_ERRORS[b].status)
    .map((kind) => {
      const { status, code: name, message } = API_ERRORS[kind];
      const { condition, remedy, sentBy } = ERRORS[kind];
      return [String(status), code(name), message, condition.replace(/\.$/, ''), remedy, sentBy];
    });
  return table([['Status', '`code`', '`message`', 'Condition', 'What to do', 'Sent by'], ...rows]);
};

/** The types of events, with their meaning for a merchant. */
export const eventTypeTable = (): string =>
  table([['Type', 'Meaning'], ...LOGGED_TYPES.map((type) => [code(type), WEBHOOK_MEANINGS[type]])]);

const UNITS = [
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Such as `30 min`. */
const duration = (seconds: number): string => {
  const [size, unit] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
};

/** The time between each attempt of a delivery and the one before. */
export const attemptTable = (): string => {
  const delays = ['0'];
  for (let delayMs = nextDelayMs(1, 0.5); delayMs !== undefined; delayMs = nextDelayMs(delays.length, 0.5)) {
    delays.push(duration(delayMs / 1_000));
  }
  return table([
    ['Attempt', ...delays.map((_, index) => String(index + 1))],
    ['After', ...delays],
  ]);
};

interface Property {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
}

const typeOf = ({ $ref, type, format }: Property): string => {
  if ($ref !== undefined) return code($ref.replace(/^.*\//, ''));
  const names = [type].flat().filter((name) => name !== 'null');
  return [...names, ...(format === undefined ? [] : [format])].join(', ');
};

const OVERLONG = 'x'.repeat(3_000);

const FIELDS = Object.keys(createCartRequestSchema.shape);

/** A value of each field that exceeds its bound: a long text, unless its type or form is another one. */
const EXCEEDING = {
  ...Object.fromEntries(FIELDS.map((field) => [field, OVERLONG])),
  redirectURL: `https://shop.example/${OVERLONG}`,
  meta: Object.fromEntries(Array.from(OVERLONG, (value, index) => [String(index), value])),
  expiresInMinutes: 1,
  customerPrice: -1,
};

/** The bounds of the fields of a create request: the validation issues of values that exceed them. */
const requestBounds = (): ReadonlyMap<string, string> => {
  const { error } = createCartRequestSchema.safeParse(EXCEEDING);
  const boundOf = (message: string): string => message.replace(/^Must (?:have|be) /, '');
  return new Map(error?.issues.map(({ path, message }) => [path.join('.'), boundOf(message)]));
};

/** The fields of a schema of the contract. The table of requests also has a column of bounds. */
export const fieldTable = (name: string): string => {
  const { schemas } = contractDocument()['components'] as { schemas: Record<string, Schema> };
  const { properties, required = [] } = schemas[name]!;
  const bounds = name === 'CreateCartCheckoutRequest' ? requestBounds() : undefined;
  const rows = Object.entries(properties).map(([field, property]) => [
    code(field),
    typeOf(property),
    required.includes(field) ? 'yes' : 'no',
    ...(bounds ? [bounds.get(field)!] : []),
    property.description?.replace(/\.$/, '') ?? '',
  ]);
  const headings = ['Field', 'Type', 'Required', ...(bounds ? ['Bound'] : []), 'Meaning'];
  return table([headings, ...rows]);
};
