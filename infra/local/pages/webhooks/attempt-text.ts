import type { AttemptError, AttemptResult } from '../../../../lib/deliveries/attempt.ts';
import { hostOf } from '../../../../lib/endpoints/host-name.ts';

type ErrorText = (url: URL) => string;

const isOnThisMachine = (url: URL): boolean => /^(?:localhost|127\.|\[::1\])/.test(url.host);

/** Each error in a sentence, and the next check. */
const ERRORS: Readonly<Record<AttemptError, ErrorText>> = {
  connectionFailed: (url) =>
    isOnThisMachine(url)
      ? `Connection refused: is your server running at ${url.host}?`
      : `No connection: is your server running at ${url.host}, and is the port open?`,
  timeout: () => 'No response within 10 seconds: respond first, and do the work afterwards.',
  connectionClosed: (url) =>
    `Connection closed before the response: did your server crash, or does it expect ${url.protocol === 'http:' ? 'https' : 'http'}?`,
  hostNotFound: (url) => `Host not found: the DNS has no address for ${hostOf(url)}.`,
  privateAddress: (url) => `Private address: ${hostOf(url)} is not on the public internet.`,
  tlsFailed: (url) => `TLS failed: is the certificate valid for ${hostOf(url)}?`,
  invalidResponse: (url) => `Not an HTTP response: which program listens at ${url.host}?`,
  invalidUrl: () => 'The address is not allowed: change it.',
};

/** The causes of a status that are found most often. A 400 has the sentence of the receiver. */
const HINTS: readonly (readonly [matches: (status: number) => boolean, hint: ErrorText])[] = [
  [(status) => status === 404, ({ pathname }) => `Your server has no path ${pathname}.`],
  [(status) => status === 405, ({ pathname }) => `Your server accepts no POST at ${pathname}.`],
  [
    (status) => [401, 403, 419].includes(status),
    () => 'A login or CSRF protection blocks the request: exempt the path of your receiver.',
  ],
  [
    (status) => status === 413,
    () => 'The event is larger than your server allows: raise the limit for request bodies.',
  ],
  [(status) => status === 415, () => 'Your server does not accept application/json.'],
  [(status) => status === 410, () => 'A 410 disables the endpoint.'],
  [(status) => status >= 500, () => 'Your server failed: its log has the reason.'],
  [(status) => status >= 300 && status < 400, () => 'No redirect is followed: enter the final address.'],
];

/** The status of an attempt, or its error in a few words, such as `no connection`. */
export const attemptStatus = ({ status, error }: AttemptResult): string => {
  if (status !== undefined) return String(status);
  if (error === 'connectionFailed') return 'no connection';
  return error?.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? '';
};

/** The result of an attempt, such as `200 · 17 ms`. */
export const attemptText = (attempt: AttemptResult): string => `${attemptStatus(attempt)} · ${attempt.ms} ms`;

/** The likely cause of an attempt without success, in a sentence. `undefined` if it is unknown. */
export const attemptHint = ({ status, error }: AttemptResult, address: string): string | undefined => {
  const url = URL.parse(address);
  if (!url) return undefined;
  if (error !== undefined) return ERRORS[error](url);
  return HINTS.find(([matches]) => status !== undefined && matches(status))?.[1](url);
};
