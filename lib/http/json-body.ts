import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { InvalidField } from '../invalid-field.ts';
import type { Middleware } from './request-state.ts';

/** Decision: far above any valid request, far below what would cost time to parse. */
const BODY_BYTES_MAX = 128 * 1_024;

const fault = (message: string): readonly InvalidField[] => [{ path: '', message }];

/** Decodes the body to text in place. A byte order mark is kept, and so refused: JSON text has none (RFC 8259, 8.1). */
const decodeBody = (event: APIGatewayProxyEvent): readonly InvalidField[] | undefined => {
  if (!event.body) return fault('A JSON body is required');
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.byteLength > BODY_BYTES_MAX) return fault(`Must have at most ${BODY_BYTES_MAX} bytes`);
  if (!event.isBase64Encoded) return event.body.isWellFormed() ? undefined : fault('Must be valid UTF-8');
  try {
    event.body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    event.isBase64Encoded = false;
    return undefined;
  } catch {
    return fault('Must be valid UTF-8');
  }
};

/** `application/json`, or a type with the suffix `+json`, with any parameters (RFC 9110, 8.3; RFC 6839, 3.1). */
const JSON_MEDIA_TYPE = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses a JSON body in place, in CPU alone. What is wrong with it is kept in `bodyIssues` rather than thrown, since
 * an invalid key or an exhausted one must be told first. Expects lower-case header names.
 */
export const jsonBody = (): Middleware => {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: (request) => {
      const { event, internal } = request;
      const isJson = JSON_MEDIA_TYPE.test(event.headers['content-type'] ?? '');
      internal.bodyIssues = isJson ? decodeBody(event) : fault('Content-Type must be application/json');
      if (internal.bodyIssues) return;
      try {
        parser.before?.(request);
      } catch {
        internal.bodyIssues = fault('Must be valid JSON, without a member that would set a prototype');
      }
    },
  };
};
