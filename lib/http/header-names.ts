import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Middleware } from './request-state.ts';

/**
 * Puts the event's header names in lower case: REST events keep each client's own casing, and names are
 * case-insensitive (RFC 9110, 5.1). Of names that differ only in case, the last one counts.
 */
export const lowerCaseHeaderNames = (): Middleware => ({
  before: ({ event }) => {
    // API Gateway's own test console sends no headers at all, whatever the type says.
    const headers = (event.headers as APIGatewayProxyEvent['headers'] | null) ?? {};
    event.headers = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
  },
});
