import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type Schema, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { noteResponse } from './seen-responses.ts';

/** An answer as a client sees it: header names in lower case, the body parsed. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
  readonly bodyText: string;
}

/** A JSON Schema of the contract. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

interface Example {
  readonly value: Readonly<Record<string, unknown>>;
  readonly 'x-answered-by'?: 'service' | 'gateway' | 'either';
}

interface Content {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, Example>>;
}

interface Header {
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example: unknown;
}

interface Response {
  readonly headers: Readonly<Record<string, Header>>;
  readonly content: { readonly 'application/json': Content };
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Content } };
  readonly responses: Readonly<Record<string, Response>>;
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** What integrators are given, as it is checked in. */
export const CONTRACT = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'),
) as Contract;

/** Every operation of the contract, with its method in capitals and its path. */
export const OPERATIONS = Object.entries(CONTRACT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
);

/** A validator of JSON Schema 2020-12 that takes the contract's own keywords for what they are: remarks. */
export const createAjv = (options: { readonly validateFormats: boolean }): Ajv2020 => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, ...options });
  ajv.addVocabulary(['x-extension', 'example']);
  formats.default(ajv);
  return ajv;
};

/** A schema as it stands in the contract, without references; objects stay open. */
export const resolveSchema = (schema: JsonSchema, close = false): JsonSchema => {
  const named = schema.$ref === undefined ? undefined : schema.$ref.split('/').at(-1);
  if (named !== undefined) return resolveSchema(CONTRACT.components.schemas[named] as JsonSchema, close);
  const { properties, items, allOf, ...rest } = schema;
  const isClosed = close && (properties !== undefined || allOf !== undefined);
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, resolveSchema(property, close)]),
      ),
    }),
    ...(items && { items: resolveSchema(items, close) }),
    // The parts of a whole each know some of its properties.
    ...(allOf && { allOf: allOf.map((part) => resolveSchema(part)) }),
    ...(isClosed && { unevaluatedProperties: false }),
  };
};

const ajv = createAjv({ validateFormats: true });
const validators = new Map<JsonSchema, ValidateFunction>();

/** What is wrong with a value; the schema is compiled once, and closed: a field that it does not know is wrong. */
const issuesOf = (schema: JsonSchema, value: unknown): string[] => {
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(resolveSchema(schema, true) as Schema);
    validators.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
};

/** What HTTP itself, or what stands in front of a deployed stage, adds to an answer. */
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
    // API Gateway renames one of them.
    const text = headers[name] ?? headers[`x-amzn-remapped-${name}`];
    if (text === undefined) return required || isComplete ? [`has no header ${name}`] : [];
    const isNumber = schema.type === 'integer' && /^\d+$/.test(text);
    return issuesOf(schema, isNumber ? Number(text) : text).map((fault) => `header ${name}: ${fault}`);
  });
  return [
    ...undocumented.map((name) => `has the undocumented header ${name}`),
    ...wrong,
    ...(headers['content-type'] === 'application/json' ? [] : ['is not application/json']),
  ];
};

const deviationsOf = (operation: Operation, { status, headers, body }: ApiResponse): string[] => {
  const response = operation.responses[status];
  if (!response) return ['has an undocumented status'];
  const { schema, examples } = response.content['application/json'];
  // The example of an error is under its code.
  const example = status < 400 ? undefined : examples[String(body['code'])];
  return [
    ...headerIssues(headers, response, example?.['x-answered-by'] === 'service'),
    ...issuesOf(schema, body),
    ...(example && example.value['message'] !== body['message'] ? ['has another message'] : []),
  ];
};

/** The operation at an address. A path without parameters comes first, for every method (OpenAPI, "Paths Object"). */
const operationAt = (method: string, target: string): Operation | undefined => {
  const address = target.replace(/\?.*$/, '');
  const path = Object.keys(CONTRACT.paths)
    .filter((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address))
    .toSorted((left, right) => Number(left.includes('{')) - Number(right.includes('{')))[0];
  return OPERATIONS.find((operation) => operation.path === path && operation.method === method);
};

/**
 * In what an answer deviates from the contract: in its status, its headers or its body, and in anything that is not
 * documented. Of addresses that are no operation's, the contract says nothing.
 */
export const findDeviations = (method: string, target: string, answer: ApiResponse): string[] => {
  const operation = operationAt(method, target);
  return operation ? deviationsOf(operation, answer) : [];
};

/**
 * Asserts that an answer that the service gave keeps the contract, and notes that it was seen.
 *
 * @throws Error that lists every deviation
 */
export const assertKeepsContract = (method: string, target: string, answer: ApiResponse): void => {
  const operation = operationAt(method, target);
  if (operation) noteResponse(operation.operationId, answer.status, answer.body['code']);
  const deviations = findDeviations(method, target, answer);
  if (deviations.length === 0) return;
  throw new Error(
    `${method} ${target}: the answer ${answer.status} deviates from docs/openapi.json: ${deviations.join('; ')}`,
  );
};
