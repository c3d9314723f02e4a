import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { InvalidField } from '../invalid-field.ts';
import type { Middleware } from './request-state.ts';

/** Decision: far above any valid request, but fast to parse. */
const BODY_BYTES_MAX = 128 * 1_024;

const issue = (message: string): readonly InvalidField[] => [{ path: '', message }];

/** Decodes the body to text in place. It keeps a byte order mark, which `JSON.parse` then rejects (RFC 8259, 8.1). */
const decodeBody = (event: APIGatewayProxyEvent): readonly InvalidField[] | undefined => {
  if (!event.body) return issue('A JSON body is required');
  const bytes = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : undefined);
  if (bytes.byteLength > BODY_BYTES_MAX) return issue(`Must have at most ${BODY_BYTES_MAX} bytes`);
  if (!event.isBase64Encoded) return event.body.isWellFormed() ? undefined : issue('Must be valid UTF-8');
  try {
    event.body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    event.isBase64Encoded = false;
    return undefined;
  } catch {
    return issue('Must be valid UTF-8');
  }
};

/** `application/json`, or a type with the suffix `+json`, with any parameters (RFC 9110, 8.3; RFC 6839, 3.1). */
const JSON_MEDIA_TYPE = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/**
 * Parses a JSON body in place. It keeps the issues in `bodyIssues` and throws nothing, because 401 and 429 come first.
 * It expects lower-case header names.
 */
export const jsonBody = (): Middleware => {
  const parser = httpJsonBodyParser({ disableContentTypeCheck: true });
  return {
    before: (request) => {
      const { event, internal } = request;
      const isJson = JSON_MEDIA_TYPE.test(event.headers['content-type'] ?? '');
      internal.bodyIssues = isJson ? decodeBody(event) : issue('Content-Type must be application/json');
      if (internal.bodyIssues) return;
      try {
        parser.before?.(request);
      } catch {
        internal.bodyIssues = issue('Must be valid JSON, without a member that would set a prototype');
      }
    },
  };
};
