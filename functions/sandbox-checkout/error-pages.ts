import { errorHeaders, errorKindOf } from '../../lib/http/error-shaping.ts';
import { API_ERRORS, ApiError } from '../../lib/http/errors.ts';
import type { Middleware } from '../../lib/http/received-request.ts';
import { type Markup, markup } from '../../lib/pages/markup.ts';
import { type Page, pageResponse } from './page/page-response.ts';
import { isProgram, textResponse } from './program-response.ts';
import { ENGLISH, type Texts } from './texts/english.ts';
import { type Language, languageOf } from './texts/language.ts';
import { TRANSLATIONS } from './texts/translations.ts';

export type PageErrorKind = keyof Texts['errors'];

const hasPage = (kind: string): kind is PageErrorKind => Object.hasOwn(ENGLISH.errors, kind);

/** The causes of an error, and where this page looks for carts. */
const causes = (kind: PageErrorKind, texts: Texts, stageName: string): Markup => {
  const { developers, stage, mode, testCartsOnly } = texts;
  if (kind !== 'cartNotFound' && kind !== 'invalidPayload') return markup``;
  return markup`
<section class="controls" aria-labelledby="developers">
<h2 id="developers">${developers.heading}</h2>
<dl><div><dt>${stage}</dt><dd><code>${stageName}</code></dd></div><div><dt>${mode}</dt><dd>${testCartsOnly}</dd></div></dl>
${Object.values(developers[kind]).map((cause: string) => markup`<p>${cause}</p>`)}
</section>`;
};

/** The page of an error. It has nothing of the cart: unknown and live carts get the same page. */
const errorPage = (kind: PageErrorKind, language: Language, stageName: string): Page => {
  const texts = TRANSLATIONS[language];
  const { heading, text } = texts.errors[kind];
  return {
    language,
    heading,
    content: markup`
<div class="alone">
<section class="card alone">
<h1>${heading}</h1>
<p>${text}</p>
${kind !== 'cartNotFound' && markup`<a class="button" href="">${texts.toCheckout}</a>`}
</section>${causes(kind, texts, stageName)}
</div>`,
  };
};

/** The lines of an error for a program: its status and code, then its details, its causes or its text. */
const errorLines = (kind: PageErrorKind, error: unknown, stageName: string): readonly string[] => {
  const { status, code } = API_ERRORS[kind];
  const { developers, errors } = ENGLISH;
  const details = error instanceof ApiError ? error.details?.map(({ message }) => message) : undefined;
  const reasons =
    kind === 'cartNotFound'
      ? [`Stage: ${stageName}`, ...Object.values(developers.cartNotFound)]
      : [errors[kind].text];
  return [`${status} ${code}`, ...(details ?? reasons)];
};

/**
 * Converts any thrown value to a page without internal details, in the browser's language. A program gets a text.
 *
 * @param stageName the stage that the page of a missing cart names
 */
export const errorPages = (stageName: string): Middleware => ({
  onError: (request) => {
    const { error, event } = request;
    const errorKind = errorKindOf(error);
    const kind = hasPage(errorKind) ? errorKind : 'internal';
    const { status, code } = API_ERRORS[kind];
    event.state.errorCode = code;
    const headers = errorHeaders(kind, error, event.state);
    request.response = isProgram(event)
      ? textResponse(status, errorLines(kind, error, stageName), headers)
      : pageResponse(
          status,
          errorPage(kind, languageOf(event.headers['accept-language']), stageName),
          headers,
        );
  },
});
