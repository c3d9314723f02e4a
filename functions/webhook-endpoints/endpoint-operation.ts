import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { AdmittedRequest } from '../../lib/http/admission.ts';
import { apiOperation } from '../../lib/http/api-operation.ts';
import { type Parsed, type RequestParts, inputOf } from '../../lib/http/operation-input.ts';
import type { ProxyFunction } from '../../lib/http/pipeline.ts';
import type { ForeignNames } from '../../lib/requests/foreign-names.ts';
import { logNameOf, type OperationOf } from '../operations.ts';
import type { Dependencies } from './dependencies.ts';

export type EndpointRequest<Input = unknown> = AdmittedRequest<Input, undefined>;

/** The parts of an operation, besides its handling. */
interface OperationParts<Schema extends z.ZodMiniObject> {
  readonly name: OperationOf<'webhook-endpoints'>;
  /** The schema of {@link RequestParts}. */
  readonly schema: Schema;
  /** Names of other APIs, for the names in the schema. */
  readonly foreignNames?: ForeignNames;
  /** Checks valid input by further rules, and normalises it. */
  readonly refine?: (
    parsed: Parsed<z.output<Schema>>,
    parts: RequestParts,
    dependencies: Dependencies,
  ) => Parsed<z.output<Schema>>;
}

/** Makes an operation of the function from its parts. */
export const endpointOperation = <Schema extends z.ZodMiniObject>(
  dependencies: Dependencies,
  { name, schema, foreignNames, refine = (parsed) => parsed }: OperationParts<Schema>,
  handle: (request: EndpointRequest<z.output<Schema>>) => Promise<APIGatewayProxyResult>,
): ProxyFunction => {
  const input = inputOf(schema, foreignNames);
  return apiOperation({
    logName: logNameOf(name),
    ...input,
    parse: (parts, mode) => refine(input.parse(parts, mode), parts, dependencies),
    authenticator: dependencies.authenticator,
    now: dependencies.now,
    // Every read needs the store of the key, so it waits for the authentication.
    handle,
  });
};
