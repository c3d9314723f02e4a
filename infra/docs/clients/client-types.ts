import { isDeepStrictEqual } from 'node:util';
import { EVENT_TYPES } from '../../../lib/events/event-types.ts';
import { contractSchemas, nameOf, type Property, type Schema } from '../blocks/contract-schemas.ts';

/** A type of the clients, without a language. */
export type ClientType =
  | {
      readonly kind: 'object';
      readonly name: string;
      readonly meaning: string;
      readonly fields: readonly Field[];
    }
  | {
      readonly kind: 'union';
      readonly name: string;
      readonly meaning: string;
      readonly members: readonly string[];
    }
  | {
      readonly kind: 'texts';
      readonly name: string;
      readonly meaning: string;
      readonly texts: readonly string[];
      /** Later versions of the API can add texts. */
      readonly isOpen: boolean;
    };

/** A field of an object. */
export interface Field {
  readonly name: string;
  readonly value: Value;
  readonly isRequired: boolean;
  /** The description in the contract. */
  readonly meaning: string;
}

/** `sentNumber`: a number of a request. `meta`: an object of texts. */
export type PlainType = 'text' | 'integer' | 'number' | 'sentNumber' | 'boolean' | 'true' | 'meta' | 'empty';

/** The type of a field. */
export type Value =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'plain'; readonly type: PlainType }
  | { readonly kind: 'const'; readonly text: string }
  | { readonly kind: 'openTexts'; readonly texts: readonly string[] }
  | { readonly kind: 'list' | 'sentList' | 'nullable'; readonly of: Value };

/** The schemas that have another name in the clients: there, the first cart is the one that a merchant retrieves. */
const NAMES: Readonly<Record<string, string>> = {
  Cart: 'CreatedCart',
  RetrievedCart: 'Cart',
  CreateCartCheckoutRequest: 'NewCart',
  CreateCartCheckoutResponse: 'Checkout',
  CreateWebhookEndpointRequest: 'NewWebhookEndpoint',
  UpdateWebhookEndpointRequest: 'WebhookEndpointChanges',
  EventList: 'EventPage',
  WebhookDeliveryList: 'WebhookDeliveryPage',
  InvalidField: 'Detail',
  Event: 'FeedEvent',
};

/** The clients make an exception of an error, and one argument of the only field of this request. */
const LEFT_OUT = new Set([
  'ErrorResponse',
  'ValidationErrorResponse',
  'RotateWebhookSecretRequest',
  'OtherEvent',
]);

const plain = (type: PlainType): Value => ({ kind: 'plain', type });

const TEXT = plain('text');

/** Fields that a client adds to the response of a creation. */
const OWN_FIELDS: readonly Field[] = [
  { name: 'idempotencyKey', value: TEXT, isRequired: true, meaning: 'Of the request' },
  {
    name: 'replayed',
    value: plain('boolean'),
    isRequired: true,
    meaning: 'Whether an earlier request with this key created it',
  },
];

const EXTENDED: Readonly<Record<string, readonly Field[]>> = {
  CreateCartCheckoutResponse: OWN_FIELDS,
  CreatedWebhookEndpoint: OWN_FIELDS,
};

const nameInClients = (schema: string): string => NAMES[schema] ?? schema;

const textOf = (property: Property): Value => {
  if (typeof property.const === 'string') return { kind: 'const', text: property.const };
  const texts = property['x-extensible-enum'];
  if (texts === undefined) return TEXT;
  return isDeepStrictEqual(texts, EVENT_TYPES)
    ? { kind: 'name', name: 'EventType' }
    : { kind: 'openTexts', texts };
};

/** @throws Error if the clients have no type for the property yet */
const valueOf = (property: Property, isSent: boolean): Value => {
  const { $ref, type, items, additionalProperties } = property;
  if ($ref !== undefined) return { kind: 'name', name: nameInClients(nameOf($ref)) };
  if (type !== undefined && typeof type !== 'string') {
    const [one = 'null', ...others] = type.filter((each) => each !== 'null');
    if (others.length === 0) return { kind: 'nullable', of: valueOf({ ...property, type: one }, isSent) };
  }
  if (type === 'string') return textOf(property);
  if (type === 'integer' || property.multipleOf === 1) return plain('integer');
  if (type === 'number') return plain(isSent ? 'sentNumber' : 'number');
  if (type === 'boolean') return plain(property.const === true ? 'true' : 'boolean');
  if (type === 'array' && items) return { kind: isSent ? 'sentList' : 'list', of: valueOf(items, isSent) };
  if (type === 'object' && additionalProperties?.type === 'string') return plain('meta');
  if (type === 'object' && property.properties) return plain('empty');
  throw new Error(`The clients have no type for ${JSON.stringify(property)}`);
};

const fieldsOf = (name: string, { properties, required = [] }: Schema): readonly Field[] => [
  ...Object.entries(properties).map(([field, property]) => ({
    name: field,
    value: valueOf(property, name.endsWith('Request')),
    isRequired: required.includes(field),
    meaning: property.description ?? '',
  })),
  ...(EXTENDED[name] ?? []),
];

const typeOf = (schemaName: string, schema: Schema): ClientType => {
  const [name, meaning] = [nameInClients(schemaName), schema.description ?? ''];
  if (schema.enum) return { kind: 'texts', name, meaning, texts: schema.enum, isOpen: false };
  const open = schema['x-extensible-enum'];
  if (open) return { kind: 'texts', name, meaning: '', texts: open, isOpen: true };
  if (!schema.anyOf) return { kind: 'object', name, meaning, fields: fieldsOf(schemaName, schema) };
  // A closed union: only then does a comparison of `type` select one of its members.
  const members = schema.anyOf.map(({ $ref }) => nameOf($ref)).filter((each) => !LEFT_OUT.has(each));
  return { kind: 'union', name, meaning, members };
};

/** The types of all requests and responses. A union comes after its members. */
export const clientTypes = (): readonly ClientType[] => {
  const types = Object.entries(contractSchemas())
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, schema]) => typeOf(name, schema));
  const webhooks: ClientType = {
    kind: 'union',
    name: 'WebhookEvent',
    meaning: 'An event of a webhook. Ignore a type that is not known.',
    members: ['FeedEvent', 'WebhookPingEvent'],
  };
  const isUnion = ({ kind }: ClientType): boolean => kind === 'union';
  return [...types.filter((type) => !isUnion(type)), ...types.filter(isUnion), webhooks];
};
