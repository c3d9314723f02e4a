import type { Operation } from '../../../functions/operations.ts';

/** Where requests go: the part of an operation that the gateway needs. */
export type Route<Name extends string = string> = Pick<Operation<Name>, 'method' | 'path' | 'functionName'>;

/** A request's place among the routes, or why it has none. */
export type RouteMatch<Name extends string> =
  | {
      readonly kind: 'matched';
      readonly route: Route<Name>;
      /** The decoded path parameters, by name. */
      readonly pathParameters: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'notFound' };

/**
 * Finds the route of a request as an API Gateway REST API does: first the resource by its path, static segments
 * before parameters, and only then the method. So `GET` on a path that is static for `POST` matches nothing,
 * even where a parameter could take its last segment.
 *
 * @param path the path of the request, still percent-encoded; static segments are compared as they are
 */
export const matchRoute = <Name extends string>(
  routes: readonly Route<Name>[],
  method: string,
  path: string,
): RouteMatch<Name> => {
  const segments = path.split('/');
  const [resource] = routes
    .filter((route) => takes(route.path.split('/'), segments))
    .map((route) => route.path)
    .toSorted(staticSegmentsFirst);
  const route = routes.find((candidate) => candidate.path === resource && candidate.method === method);
  if (route === undefined) return { kind: 'notFound' };

  return { kind: 'matched', route, pathParameters: readParameters(route.path.split('/'), segments) };
};

const takes = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length &&
  pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));

const isParameter = (part: string): boolean => part.startsWith('{') && part.endsWith('}');

const staticSegmentsFirst = (left: string, right: string): number =>
  precedence(left).localeCompare(precedence(right));

const precedence = (path: string): string =>
  path
    .split('/')
    .map((part) => (isParameter(part) ? '1' : '0'))
    .join('');

const readParameters = (
  pattern: readonly string[],
  segments: readonly string[],
): ReadonlyMap<string, string> =>
  new Map(
    pattern.flatMap((part, index): [string, string][] =>
      isParameter(part) ? [[part.slice(1, -1), decode(segments[index] ?? '')]] : [],
    ),
  );

/** Decodes a segment; one that is no valid percent-encoding stays as it is, for the function to refuse. */
const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return segment;
    throw error;
  }
};
