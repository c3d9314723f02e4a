import { slug } from 'github-slugger';
import { STATUS_MEANINGS } from '../../../lib/carts/cart-view-schema.ts';
import { CART_STATUSES } from '../../../lib/carts/cart.ts';
import { createCartRequestSchema } from '../../../lib/carts/request/create-cart-request.ts';
import { nextDelayMs } from '../../../lib/deliveries/sending/schedule.ts';
import { EVENT_EXAMPLES } from '../../../lib/event-catalogue/event-examples.ts';
import { WEBHOOK_MEANINGS } from '../../../lib/event-catalogue/event-schemas.ts';
import { EVENT_TYPES } from '../../../lib/events/event-types.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import { PUBLIC_OPERATIONS } from '../../contract/contracts.ts';
import { ERRORS } from '../../contract/errors.ts';
import { contractSchema, contractSchemas, nameOf, type Property } from './contract-schemas.ts';
import { code, json, table, withoutStop } from './markdown.ts';

/** The operations of merchants. */
export const operationTable = (): string =>
  table([
    ['Operation', 'Method and path', 'Purpose'],
    ...PUBLIC_OPERATIONS.map(({ operationId, method, path, summary }) => [
      code(operationId),
      code(`${method} ${path}`),
      withoutStop(summary),
    ]),
  ]);

/** The statuses of a cart. */
export const statusTable = (): string =>
  table([
    ['Status', 'Meaning'],
    ...CART_STATUSES.map((status) => [code(status), `${STATUS_MEANINGS[status]}.`]),
  ]);

/** Every error, by status. */
export const errorTable = (): string => {
  const rows = (Object.keys(API_ERRORS) as ApiErrorKind[])
    .toSorted((a, b) => API_ERRORS[a].status - API_ERRORS[b].status)
    .map((kind) => {
      const { status, code: name, message } = API_ERRORS[kind];
      const { condition, remedy, sentBy } = ERRORS[kind];
      return [String(status), code(name), message, withoutStop(condition), remedy, sentBy];
    });
  return table([['Status', '`code`', '`message`', 'Condition', 'What to do', 'Sent by'], ...rows]);
};

/** The types of events, with their meaning for a merchant. */
export const eventTypeTable = (): string =>
  table([
    ['Type', 'Meaning'],
    ...EVENT_TYPES.map((type) => [`[${code(type)}](event-types.md#${slug(type)})`, WEBHOOK_MEANINGS[type]]),
  ]);

/** A section of each type of event, with an example. */
export const eventTypeSections = (): string =>
  EVENT_TYPES.map((type) => `## ${type}\n\n${WEBHOOK_MEANINGS[type]}\n\n${json(EVENT_EXAMPLES[type])}`).join(
    '\n\n',
  );

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

const typeOf = ({ $ref, type, format }: Property): string => {
  if ($ref !== undefined) return code(nameOf($ref));
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
  const bounds = new Map(error?.issues.map(({ path, message }) => [path.join('.'), boundOf(message)]));
  const missing = FIELDS.filter((field) => !bounds.has(field));
  if (missing.length > 0)
    throw new Error(`Give ${missing.join()} a bound, or a value in EXCEEDING that exceeds it`);
  return bounds;
};

/** The fields of a schema of the contract. The table of requests also has a column of bounds. */
export const fieldTable = (name: string) => (): string => {
  const schemas = contractSchemas();
  const { properties, required = [] } = contractSchema(name);
  const meaningOf = ({ $ref, description }: Property): string => {
    const { properties: fields, description: ofSchema } = schemas[nameOf($ref)] ?? {};
    return description ?? (fields && ofSchema) ?? '';
  };
  const bounds = name === 'CreateCartCheckoutRequest' ? requestBounds() : undefined;
  const rows = Object.entries(properties).map(([field, property]) => [
    code(field),
    typeOf(property),
    required.includes(field) ? 'yes' : 'no',
    ...(bounds ? [bounds.get(field) ?? ''] : []),
    withoutStop(meaningOf(property)),
  ]);
  const headings = ['Field', 'Type', 'Required', ...(bounds ? ['Bound'] : []), 'Meaning'];
  return table([headings, ...rows]);
};
