import type * as z from 'zod/mini';
import type { ApiErrorKind } from '../lib/http/errors.ts';

/** The groups of operations in the public contract, with their descriptions. */
export const TAGS = {
  Carts: 'Create a cart for one product, then retrieve it to check its status.',
  Products: 'Read what your store sells.',
  Events: 'Read every change of your carts, in order.',
  Webhooks: 'Manage the endpoints that receive your events.',
} as const;

/** Examples of a body, by name. A reader of the docs page selects one. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** A parameter in a request's path, query or headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  /** Default: `false`. Path parameters are always required. */
  readonly required?: boolean;
  readonly schema: z.ZodMiniType;
}

/** An operation that can follow, and its parameters as runtime expressions, such as `$response.body#/cart/id`. */
interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * The public part of one operation. `functions/<functionName>/contract.ts` exports it under the operation's name in
 * `operations.ts`, which has its method and path. A schema becomes a named component by `z.meta({ id: 'Name' })`.
 */
export interface OperationContract {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly request?: {
    readonly description: string;
    /** The schema that the handler runs, with an `id`. */
    readonly schema: z.ZodMiniObject;
    /** The description of each field. It is not in `lib`, because it would lengthen the functions' bundles. */
    readonly fields: Readonly<Record<string, string>>;
    readonly examples: Examples;
  };
  readonly response: {
    readonly status: 200 | 201 | 202;
    readonly description: string;
    /** The schema of the body, with an `id`. */
    readonly schema: z.ZodMiniType;
    readonly examples: Examples;
    /** The headers of this operation alone, besides those of every response. `required` is `false` by default. */
    readonly headers?: Readonly<
      Record<
        string,
        { readonly description: string; readonly required?: boolean; readonly schema: z.ZodMiniType }
      >
    >;
    /** Operations that take a value of this response (OpenAPI, "Link Object"). Fuzzers follow them. */
    readonly links?: Readonly<Record<string, Link>>;
  };
  /** The description of 304, which has the headers of `response` and no body, if the operation sends it. */
  readonly notModified?: string;
  /** The errors of this operation alone, besides those of every operation. */
  readonly errors: readonly ApiErrorKind[];
}
