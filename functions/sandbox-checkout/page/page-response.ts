import type { APIGatewayProxyResult } from 'aws-lambda';
import { ICON_LINK } from '../../../lib/pages/icon.ts';
import { inlineSource } from '../../../lib/pages/inline-source.ts';
import { type Markup, markup, trusted } from '../../../lib/pages/markup.ts';
import type { Language } from '../texts/language.ts';
import { TRANSLATIONS } from '../texts/translations.ts';
import { STYLESHEET } from './stylesheet.ts';

export interface Page {
  readonly language: Language;
  /** The page's message in short. It starts the title, which a screen reader reads first. */
  readonly heading: string;
  readonly content: Markup;
  /** Small print below the content. */
  readonly footnote?: Markup | undefined;
  /** The CSP sources to which the page's forms may lead. Absent from a page without forms, which has no script either. */
  readonly formTargets?: readonly string[];
}

/**
 * The one script of the pages. It shows times in the browser's zone: without it, they are in UTC. It disables all buttons after a
 * form is sent, because a disabled button would be left out of the form. A page that the browser kept is loaded again.
 */
const SCRIPT = `
for (const time of document.querySelectorAll("time"))
  time.textContent = new Intl.DateTimeFormat(time.lang, { dateStyle: "long", timeStyle: "short" }).format(new Date(time.dateTime));
addEventListener("submit", ({ submitter }) => setTimeout(() => {
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  if (submitter.dataset.busy) submitter.textContent = submitter.dataset.busy;
}));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());`
  .replaceAll(/\s*\n\s*/g, ' ')
  .trim();

const render = ({ language, heading, content, footnote, formTargets }: Page): Markup => {
  const { title, testMode, noMoneyMoves } = TRANSLATIONS[language];
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} – ${title}</title>
${ICON_LINK}
<style>${trusted(STYLESHEET)}</style>
</head>
<body>
<header class="banner"><strong>${testMode}</strong> ${noMoneyMoves}</header>
<main>${content}</main>
${footnote && markup`<footer>${footnote}</footer>`}
${formTargets && markup`<script>${trusted(SCRIPT)}</script>`}
</body>
</html>
`;
};

/**
 * The CSP source (Level 3, 2.3.1) that lets a form lead to an address. It is only the scheme: a browser checks every
 * redirect, and a merchant may redirect the buyer to another host. `http:` includes https.
 */
export const formTargetOf = (address: string): string => new URL(address).protocol;

const SCRIPT_SOURCE = inlineSource(SCRIPT);
const STYLE_SOURCE = inlineSource(STYLESHEET);

/**
 * The policy allows one style, one script beside forms, the icon, and no frame. Browsers also check `form-action` on the
 * redirects after a form.
 */
const policyOf = (formTargets: readonly string[] | undefined): string =>
  [
    "default-src 'none'",
    ...(formTargets ? [`script-src ${SCRIPT_SOURCE}`] : []),
    `style-src ${STYLE_SOURCE}`,
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formTargets?.join(' ') ?? "'none'"}`,
  ].join('; ');

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

/** The headers of every response of the checkout, besides those of the pipeline. */
export const CHECKOUT_HEADERS = {
  // With `no-referrer`, a browser would send the page's own form with `Origin: null`.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** A response with a page. The pipeline adds the headers of every response. */
export const pageResponse = (
  statusCode: number,
  page: Page,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    ...CHECKOUT_HEADERS,
    ...HTML,
    'Content-Language': page.language,
    'Content-Security-Policy': policyOf(page.formTargets),
    ...headers,
  },
  body: render(page).toString(),
});
