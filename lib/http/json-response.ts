import { hash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

/** A successful response with a JSON body. The pipeline adds the headers of every response. */
export const jsonResponse = (
  statusCode: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({ statusCode, headers, body: JSON.stringify(body) });

/** 132 bits of a SHA-256: two bodies never share them. */
const TAG_LENGTH = 22;

/** The strong entity tag of a body (RFC 9110, 8.8.3). */
const entityTag = (body: string): string => `"${hash('sha256', body, 'base64url').slice(0, TAG_LENGTH)}"`;

/**
 * Whether an `If-None-Match` names a tag (RFC 9110, 13.1.2). The comparison is weak: a `W/` before the tag does not matter.
 * No part of a valid list other than the tag itself contains its text with both quotes.
 */
const isNamed = (tag: string, ifNoneMatch: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.includes(tag);

/**
 * A successful response to a GET with a JSON body and its `ETag`, or 304 without a body if the client has this body. The
 * pipeline adds the headers of every response.
 *
 * @param ifNoneMatch the request's header, if it has one
 */
export const conditionalResponse = (
  body: unknown,
  ifNoneMatch: string | undefined,
): APIGatewayProxyResult => {
  const text = JSON.stringify(body);
  const tag = entityTag(text);
  const headers = { ETag: tag };
  return ifNoneMatch !== undefined && isNamed(tag, ifNoneMatch)
    ? { statusCode: 304, headers, body: '' }
    : { statusCode: 200, headers, body: text };
};
