import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Language } from './language.ts';
import { type Markup, markup, trusted } from './markup.ts';
import { STYLESHEET, STYLESHEET_HASH } from './stylesheet.ts';
import { TRANSLATIONS } from './translations.ts';

/** What a page is made of. */
export interface Page {
  readonly language: Language;
  /** What the page tells, for the title: what a screen reader says first. */
  readonly heading: string;
  /** The content of `<main>`. */
  readonly content: Markup;
  /** Below it, in small print. */
  readonly footnote?: Markup | undefined;
  /** Where the page's form may lead, as source expressions; none if it has no form. */
  readonly formTargets?: readonly string[];
}

/** A page that has nothing beside its one section is as narrow as that. */
const render = ({ language, heading, content, footnote, formTargets }: Page): Markup => {
  const { title, testMode, noMoneyMoves } = TRANSLATIONS[language];
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading} – ${title}</title>
<style>${trusted(STYLESHEET)}</style>
</head>
<body>
<header class="banner"><strong>${testMode}</strong> ${noMoneyMoves}</header>
<main${formTargets ? undefined : trusted(' class="alone"')}>${content}</main>
${footnote && markup`<footer>${footnote}</footer>`}
</body>
</html>
`;
};

/** No script, no image, no frame; the browser checks a form's target on the redirect that follows, too. */
const policyOf = (formTargets: readonly string[] = ["'none'"]): string =>
  [
    "default-src 'none'",
    `style-src ${STYLESHEET_HASH}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    `form-action ${formTargets.join(' ')}`,
  ].join('; ');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** ApiResponses with a page; the pipeline adds the headers that every answer has. */
export const pageResponse = (
  statusCode: number,
  page: Page,
  headers: Record<string, string> = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    ...HEADERS,
    'Content-Language': page.language,
    'Content-Security-Policy': policyOf(page.formTargets),
    ...headers,
  },
  body: render(page).toString(),
});

/** Sends the browser on after a form (RFC 9110, 15.4.4). */
export const seeOther = (location: string): APIGatewayProxyResult => ({
  statusCode: 303,
  headers: { ...HEADERS, Location: location },
  body: '',
});
