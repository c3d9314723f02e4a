import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Action, ACTIONS } from './actions.ts';

const FORM_MEDIA_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Far above the one field that is read. */
const BODY_CHARACTERS_MAX = 1_024;

/** The action that a submitted form asks for; `undefined` if it is none. Expects lower-case header names. */
export const parseAction = ({ headers, body, isBase64Encoded }: APIGatewayProxyEvent): Action | undefined => {
  if (!body || !FORM_MEDIA_TYPE.test(headers['content-type'] ?? '')) return undefined;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  if (text.length > BODY_CHARACTERS_MAX) return undefined;
  const [asked, ...more] = new URLSearchParams(text).getAll('action');
  return more.length === 0 ? ACTIONS.find((action) => action === asked) : undefined;
};
