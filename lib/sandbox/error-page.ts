import type { Language } from './language.ts';
import { markup } from './markup.ts';
import type { PageErrorKind } from './page-errors.ts';
import type { Page } from './page.ts';
import { TRANSLATIONS } from './translations.ts';

/** The page of an error. It knows nothing of the cart: those of unknown and of live carts are the same. */
export const errorPage = (kind: PageErrorKind, language: Language): Page => {
  const { errors, toCheckout } = TRANSLATIONS[language];
  const { heading, text } = errors[kind];
  return {
    language,
    content: markup`
<section>
<h1>${heading}</h1>
<p>${text}</p>
${kind !== 'cartNotFound' && markup`<p class="onward"><a class="button" href="">${toCheckout}</a></p>`}
</section>`,
  };
};
