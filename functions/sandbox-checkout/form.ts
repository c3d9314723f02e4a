import type { ReceivedRequest } from '../../lib/http/received-request.ts';
import { type Action, ACTIONS } from './actions.ts';

const FORM_MEDIA_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** Far above the length of the form's one field. */
const BODY_CHARACTERS_MAX = 1_024;

/** The action of a submitted form, or the reason for its rejection: a sentence for programs. */
type ParsedAction =
  | { readonly ok: true; readonly action: Action }
  | { readonly ok: false; readonly reason: string };

/** A value that the reason may repeat. */
const REPEATED_ACTION = /^\w{1,40}$/;

const reject = (cause: string): ParsedAction => ({
  ok: false,
  reason: `${cause}. Send one field action in a form: ${ACTIONS.join(', ')}.`,
});

/** Parses the action of a submitted form. */
export const parseAction = ({
  headers,
  body,
  isBase64Encoded,
}: Pick<ReceivedRequest, 'headers' | 'body' | 'isBase64Encoded'>): ParsedAction => {
  if (!FORM_MEDIA_TYPE.test(headers['content-type'] ?? '')) {
    return reject('Content-Type must be application/x-www-form-urlencoded');
  }
  // Base64 has four characters for three bytes, and a character has at most four bytes.
  if ((body?.length ?? 0) > 6 * BODY_CHARACTERS_MAX) return reject('The form is too long');
  const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
  if (text.length > BODY_CHARACTERS_MAX) return reject('The form is too long');
  const [requested, ...more] = new URLSearchParams(text).getAll('action');
  if (requested === undefined) return reject('The form has no action');
  if (more.length > 0) return reject('The form has several actions');
  const action = ACTIONS.find((each) => each === requested);
  if (action) return { ok: true, action };
  return reject(
    REPEATED_ACTION.test(requested) ? `The action ${requested} is unknown` : 'The action is unknown',
  );
};

/** The values of `Sec-Fetch-Site` for a page's own form, and for a request that no page caused. */
const OWN_SITES = new Set(['same-origin', 'none']);

/**
 * Whether a page of another site caused a request. Browsers name the site in `Sec-Fetch-Site` and `Origin`, and no page
 * can change these headers or `Host`. Other clients, such as curl, send neither `Sec-Fetch-Site` nor `Origin`.
 *
 * `Host` is the gateway's domain name, on the local stage with the port.
 */
export const isCrossSite = ({ headers }: Pick<ReceivedRequest, 'headers'>): boolean => {
  const { host, origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && !OWN_SITES.has(site)) return true;
  return origin !== undefined && URL.parse(origin)?.host !== host?.toLowerCase();
};
