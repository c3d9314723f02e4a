import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Action, ACTIONS } from './actions.ts';

const FORM_MEDIA_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Far above the length of the form's one field. */
const BODY_CHARACTERS_MAX = 1_024;

/** Parses the action of a submitted form. Returns `undefined` if it is invalid. Expects lower-case header names. */
export const parseAction = ({ headers, body, isBase64Encoded }: APIGatewayProxyEvent): Action | undefined => {
  if (!body || !FORM_MEDIA_TYPE.test(headers['content-type'] ?? '')) return undefined;
  // Base64 has four characters for three bytes, and a character has at most four bytes.
  if (body.length > 6 * BODY_CHARACTERS_MAX) return undefined;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  if (text.length > BODY_CHARACTERS_MAX) return undefined;
  const [requested, ...more] = new URLSearchParams(text).getAll('action');
  return more.length === 0 ? ACTIONS.find((action) => action === requested) : undefined;
};

/** The values of `Sec-Fetch-Site` for a page's own form, and for a request that no page caused. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another site caused a request. Browsers name the site in `Sec-Fetch-Site` and `Origin`, and no page
 * can change these headers or `Host`. Other clients, such as curl, send neither `Sec-Fetch-Site` nor `Origin`.
 *
 * @param event with lower-case header names. Its `Host` is the gateway's domain name, on the local stage with the port.
 */
export const isCrossSite = ({ headers }: Pick<APIGatewayProxyEvent, 'headers'>): boolean => {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && !OWN_SITES.has(site)) return true;
  return origin !== undefined && URL.parse(origin)?.host !== host?.toLowerCase();
};
