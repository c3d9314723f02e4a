import type { AttemptError, AttemptResult } from '../../../../lib/deliveries/records/attempt.ts';
import { hostOf } from '../../../../lib/endpoints/address/host.ts';

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

const BLOCKED: ErrorText = () =>
  'A login or CSRF protection blocks the request: exempt the path of your receiver.';

/** The cause of a status that is found most often. A 400 has the sentence of the receiver. */
const HINTS: Readonly<Record<number, ErrorText>> = {
  401: BLOCKED,
  403: BLOCKED,
  404: ({ pathname }) => `Your server has no path ${pathname}.`,
  405: ({ pathname }) => `Your server accepts no POST at ${pathname}.`,
  410: () => 'A 410 disables the endpoint.',
  413: () => 'The event is larger than your server allows: raise the limit for request bodies.',
  415: () => 'Your server does not accept application/json.',
  419: BLOCKED,
};

const hintOf = (status: number): ErrorText | undefined => {
  if (status >= 500) return () => 'Your server failed: its log has the reason.';
  if (status >= 300 && status < 400) return () => 'No redirect is followed: enter the final address.';
  return HINTS[status];
};

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
  return status === undefined ? undefined : hintOf(status)?.(url);
};
