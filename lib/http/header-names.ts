import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Middleware } from './request-state.ts';

/**
 * Converts the event's header names to lower case. REST events keep the client's case, but names are case-insensitive
 * (RFC 9110, 5.1). If names differ only in case, the last one counts.
 */
export const lowerCaseHeaderNames = (): Middleware => ({
  before: ({ event }) => {
    // API Gateway's test console sends `null`, despite the type.
    const headers = (event.headers as APIGatewayProxyEvent['headers'] | null) ?? {};
    event.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
  },
});
