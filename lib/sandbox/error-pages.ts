import { errorKindOf, UNAVAILABLE_RETRY_AFTER_SECONDS } from '../http/error-shaping.ts';
import { API_ERRORS } from '../http/errors.ts';
import type { Middleware } from '../http/request-state.ts';
import { ENGLISH, type Texts } from './english.ts';
import { markup } from './markup.ts';
import { type Page, pageResponse } from './page.ts';
import { type Language, languageOf, TRANSLATIONS } from './translations.ts';

export type PageErrorKind = keyof Texts['errors'];

const hasPage = (kind: string): kind is PageErrorKind => Object.hasOwn(ENGLISH.errors, kind);

/** The page of an error. It has nothing of the cart: unknown and live carts get the same page. */
const errorPage = (kind: PageErrorKind, language: Language): Page => {
  const { errors, toCheckout } = TRANSLATIONS[language];
  const { heading, text } = errors[kind];
  return {
    language,
    heading,
    content: markup`
<section>
<h1>${heading}</h1>
<p>${text}</p>
${kind !== 'cartNotFound' && markup`<p class="onward"><a class="button" href="">${toCheckout}</a></p>`}
</section>`,
  };
};

/** Converts any thrown value to a page without internal details, in the browser's language. */
export const errorPages = (): Middleware => ({
  onError: (request) => {
    const { error, internal, event } = request;
    const errorKind = errorKindOf(error);
    const kind = hasPage(errorKind) ? errorKind : 'internal';
    const { status, code } = API_ERRORS[kind];
    internal.errorCode = code;
    const isUnavailable = kind === 'serviceUnavailable';
    request.response = pageResponse(
      status,
      errorPage(kind, languageOf(event.headers['accept-language'])),
      isUnavailable ? { 'Retry-After': String(UNAVAILABLE_RETRY_AFTER_SECONDS) } : {},
    );
  },
});
