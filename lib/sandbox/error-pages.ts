import { API_ERRORS } from '../http/errors.ts';
import type { Middleware } from '../http/request-state.ts';
import { count } from '../telemetry.ts';
import { errorPage } from './error-page.ts';
import { languageOf } from './language.ts';
import { pageErrorKindOf } from './page-errors.ts';
import { pageAnswer } from './page.ts';

/** How long a browser should wait before it tries again while the database is slow or down. */
const RETRY_AFTER_SECONDS = 1;

/** Turns anything thrown into a page; nothing internal passes. Without a cart, the browser tells the language. */
export const errorPages = (): Middleware => ({
  onError: (request) => {
    const { error, internal, event } = request;
    const kind = pageErrorKindOf(error);
    const { status, code } = API_ERRORS[kind];
    internal.errorCode = code;
    const isUnavailable = kind === 'serviceUnavailable';
    if (isUnavailable) count('DatabaseUnavailable');
    request.response = pageAnswer(
      status,
      errorPage(kind, languageOf(event.headers['accept-language'])),
      isUnavailable ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : {},
    );
  },
});
