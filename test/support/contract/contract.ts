import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import formats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { PUBLIC_OPERATIONS } from '../../../infra/contract/contracts.ts';
import { ERRORS, errorsByStatus } from '../../../infra/contract/errors.ts';
import { API_ERRORS, type ApiErrorKind } from '../../../lib/http/errors.ts';
import { noteResponse } from './seen-responses.ts';

/** A response as a client sees it: header names in lower case, the body parsed. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
  readonly bodyText: string;
}

/** The body of a response. One without a body, such as a 304, counts as having no fields. Throws if it is not JSON. */
export const parseBody = (bodyText: string, status: number): Record<string, unknown> =>
  status === 304 ? {} : (JSON.parse(bodyText) as Record<string, unknown>);

type JsonSchema = Readonly<Record<string, unknown>>;

/** A body with its examples. */
export interface Content {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;
}

interface Response {
  readonly headers: Readonly<Record<string, { readonly required: boolean; readonly schema: JsonSchema }>>;
  /** Absent for a response without a body. */
  readonly content?: { readonly 'application/json': Content };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json': Content } };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

interface Webhook {
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
  readonly requestBody: { readonly content: { readonly 'application/json': Content } };
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Webhook }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const CONTRACT_TEXT = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');

/** The checked-in contract, as integrators receive it. */
export const CONTRACT = JSON.parse(CONTRACT_TEXT) as Contract;

const resolveResponse = (response: Response | { readonly $ref: string }): Response =>
  '$ref' in response
    ? (CONTRACT.components.responses[String(response.$ref.split('/').at(-1))] as Response)
    : response;

/** Every operation of the contract, with its method in capitals and its path. References to responses are resolved. */
export const OPERATIONS = Object.entries(CONTRACT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, resolveResponse(response)]),
    ),
    method: method.toUpperCase(),
    path,
  })),
);

type DocumentedOperation = (typeof OPERATIONS)[number];

/** Compiles schemas of a contract, once each. */
const compilerOf = (contract: Contract, validateFormats: boolean) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateFormats });
  formats.default(ajv);
  ajv.addVocabulary(['x-extensible-enum']);
  for (const [name, schema] of Object.entries(contract.components.schemas)) {
    ajv.addSchema(schema, `#/components/schemas/${name}`);
  }
  return (schema: JsonSchema): ValidateFunction => ajv.compile(schema);
};

/** Ignores unknown fields and formats, as JSON Schema does by default. */
export const openValidator = compilerOf(CONTRACT, false);

/** The service itself sends no event of an unknown type. */
const NEVER = { not: {} };

const closeObject = (name: string, value: unknown): unknown => {
  if (name === 'OtherEvent') return NEVER;
  return typeof value === 'object' && value !== null && 'properties' in value
    ? { ...value, additionalProperties: false }
    : value;
};

/** Validates formats too, and rejects every field and type of event that the contract lacks. */
export const closedValidator = compilerOf(JSON.parse(CONTRACT_TEXT, closeObject) as Contract, true);

const issuesOf = (schema: JsonSchema, value: unknown): string[] => {
  const validate = closedValidator(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
};

/** The headers that HTTP itself adds, or the network in front of a deployed stage. */
const TRANSPORT_HEADERS =
  /^(?:content-(?:type|length)|date|connection|keep-alive|transfer-encoding|server|via|x-cache|x-amzn?-.+)$/;

const headerIssues = (headers: ApiResponse['headers'], response: Response, isComplete: boolean): string[] => {
  const documented = new Map(
    Object.entries(response.headers).map(([name, header]) => [name.toLowerCase(), header]),
  );
  const undocumented = Object.keys(headers).filter(
    (name) => !documented.has(name) && !TRANSPORT_HEADERS.test(name),
  );
  const wrong = [...documented].flatMap(([name, { required, schema }]) => {
    // API Gateway renames `WWW-Authenticate`.
    const text = headers[name] ?? headers[`x-amzn-remapped-${name}`];
    if (text === undefined) return required || isComplete ? [`has no header ${name}`] : [];
    const isNumber = schema['type'] === 'integer' && /^\d+$/.test(text);
    return issuesOf(schema, isNumber ? Number(text) : text).map((issue) => `header ${name}: ${issue}`);
  });
  return [
    ...undocumented.map((name) => `has the undocumented header ${name}`),
    ...wrong,
    ...(headers['content-type'] === 'application/json' ? [] : ['is not application/json']),
  ];
};

const errorKindOf = (operationId: string, status: number, code: unknown): ApiErrorKind | undefined => {
  const contract = PUBLIC_OPERATIONS.find((operation) => operation.operationId === operationId);
  const kinds = contract && errorsByStatus(contract).get(status);
  return kinds?.find((kind) => API_ERRORS[kind].code === code);
};

const errorIssues = (kind: ApiErrorKind | undefined, body: ApiResponse['body']): string[] => {
  if (kind === undefined) return [`has the undocumented code ${String(body['code'])}`];
  return API_ERRORS[kind].message === body['message'] ? [] : ['has another message'];
};

const bodyIssues = ({ content }: Response, { body, bodyText }: ApiResponse): string[] => {
  if (content) return issuesOf(content['application/json'].schema, body);
  return bodyText === '' ? [] : ['has a body'];
};

const deviationsOf = ({ operationId, responses }: DocumentedOperation, received: ApiResponse): string[] => {
  const { status, headers, body } = received;
  const response = responses[status];
  if (!response) return ['has an undocumented status'];
  const kind = errorKindOf(operationId, status, body['code']);
  const isComplete = kind !== undefined && ERRORS[kind].sentBy === 'service';
  return [
    ...headerIssues(headers, response, isComplete),
    ...bodyIssues(response, received),
    ...(status < 400 ? [] : errorIssues(kind, body)),
  ];
};

/** The operation of a request. A path without parameters takes precedence (OpenAPI, "Paths Object"). */
const operationAt = (method: string, target: string): DocumentedOperation | undefined => {
  const address = target.replace(/\?.*$/, '');
  const path = Object.keys(CONTRACT.paths)
    .filter((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address))
    .toSorted((left, right) => Number(left.includes('{')) - Number(right.includes('{')))[0];
  return OPERATIONS.find((operation) => operation.path === path && operation.method === method);
};

/** The deviations of a response from the contract. Empty if no operation has this method and path. */
export const findDeviations = (method: string, target: string, response: ApiResponse): string[] => {
  const operation = operationAt(method, target);
  return operation ? deviationsOf(operation, response) : [];
};

/**
 * Asserts that a response of the service keeps the contract, and notes its kind as seen.
 *
 * @throws Error that lists every deviation
 */
export const assertKeepsContract = (method: string, target: string, response: ApiResponse): void => {
  const operation = operationAt(method, target);
  if (operation) noteResponse(operation.operationId, response.status, response.body['code']);
  const deviations = findDeviations(method, target, response);
  if (deviations.length === 0) return;
  throw new Error(
    `${method} ${target}: the response ${response.status} deviates from docs/openapi.json: ${deviations.join('; ')}`,
  );
};
