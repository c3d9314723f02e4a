import type { Operation } from '../../../functions/operations.ts';

/** The route of an operation, or of a function that only the local stage has and calls. */
export interface Route extends Pick<Operation, 'method' | 'path' | 'functionName'> {
  readonly caller: Operation['caller'] | 'stage';
}

/** The route of a request, with its decoded path parameters by name. */
export interface RouteMatch {
  readonly route: Route;
  readonly pathParameters: ReadonlyMap<string, string>;
}

/**
 * Creates a router that finds routes as an API Gateway REST API does: first the resource by its path, then the method.
 * Static segments go before parameters. `GET /cart/checkout` therefore has no route: only `POST` has that static path.
 */
export const createRouter = (routes: readonly Route[]) => {
  // `{` sorts after letters and digits: a static segment comes before a parameter.
  const resources = [...Map.groupBy(routes, (route) => route.path)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, own]) => ({ pattern: toRegExp(path), own }));
  /** @param path still percent-encoded */
  return (method: string, path: string): RouteMatch | undefined => {
    for (const { pattern, own } of resources) {
      const found = pattern.exec(path);
      if (!found) continue;
      const route = own.find((candidate) => candidate.method === method);
      if (!route) return undefined;
      const segments = Object.entries(found.groups ?? {});
      return { route, pathParameters: new Map(segments.map(([name, segment]) => [name, decode(segment)])) };
    }
    return undefined;
  };
};

/** `/carts/{cartId}` as an expression with a group `cartId`. */
const toRegExp = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

/** Decodes a segment. Invalid percent-encoding stays: the function rejects it. */
const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};
