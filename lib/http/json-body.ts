import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { InvalidField } from '../invalid-field.ts';
import { hasMoreTokens } from './json-tokens.ts';
import type { Middleware } from './request-state.ts';

/** Decision: far above any valid request, but fast to parse. */
const BODY_BYTES_MAX = 128 * 1_024;

/** A valid request has fewer than 300. The work of the parser's reviver and of the validation grows with the tokens. */
const JSON_TOKENS_MAX = 1_000;

/** Compares a body's size with the bound. It does not encode a body that is far too long. */
const isTooLarge = (body: string, isBase64: boolean): boolean =>
  isBase64
    ? Buffer.byteLength(body, 'base64') > BODY_BYTES_MAX
    : body.length > BODY_BYTES_MAX || Buffer.byteLength(body) > BODY_BYTES_MAX;

const issue = (message: string): readonly InvalidField[] => [{ path: '', message }];

/** Decodes the body to text in place. It keeps a byte order mark, which `JSON.parse` then rejects (RFC 8259, 8.1). */
const decodeBody = (event: APIGatewayProxyEvent): readonly InvalidField[] | undefined => {
  if (!event.body) return issue('A JSON body is required');
  if (isTooLarge(event.body, event.isBase64Encoded))
    return issue(`Must have at most ${BODY_BYTES_MAX} bytes`);
  if (!event.isBase64Encoded) return event.body.isWellFormed() ? undefined : issue('Must be valid UTF-8');
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    event.body = decoder.decode(Buffer.from(event.body, 'base64'));
    event.isBase64Encoded = false;
    return undefined;
  } catch {
    return issue('Must be valid UTF-8');
  }
};

/** Decodes the body in place. Returns the issues that need no parsing. */
const readBody = (event: APIGatewayProxyEvent): readonly InvalidField[] | undefined =>
  decodeBody(event) ??
  (hasMoreTokens(event.body ?? '', JSON_TOKENS_MAX)
    ? issue(`Must have at most ${JSON_TOKENS_MAX} JSON tokens`)
    : undefined);

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
      internal.bodyIssues = isJson ? readBody(event) : issue('Content-Type must be application/json');
      if (internal.bodyIssues) return;
      try {
        parser.before?.(request);
      } catch {
        internal.bodyIssues = issue('Must be valid JSON, without a member that would set a prototype');
      }
    },
  };
};
