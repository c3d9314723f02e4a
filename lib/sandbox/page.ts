import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Markup, markup, trusted } from './markup.ts';
import { STYLESHEET, STYLESHEET_HASH } from './stylesheet.ts';
import { type Language, TRANSLATIONS } from './translations.ts';

export interface Page {
  readonly language: Language;
  /** The page's message in short. It starts the title, which a screen reader reads first. */
  readonly heading: string;
  readonly content: Markup;
  /** Small print below the content. */
  readonly footnote?: Markup | undefined;
  /** The CSP sources to which the page's form may lead. Absent if the page has no form. */
  readonly formTargets?: readonly string[];
}

/** A page without form targets has one section, and `.alone` makes it narrow. */
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

/**
 * The CSP source (Level 3, 2.3.1) that lets a form lead to an address. It is only the scheme: a browser checks every
 * redirect, and a merchant may redirect the buyer to another host. `http:` includes https.
 */
export const formTargetOf = (address: string): string => new URL(address).protocol;

/** The policy allows no script, image or frame. Browsers also check `form-action` on the redirects after a form. */
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
    ...HEADERS,
    'Content-Language': page.language,
    'Content-Security-Policy': policyOf(page.formTargets),
    ...headers,
  },
  body: render(page).toString(),
});

/** A redirect after a form (RFC 9110, 15.4.4). */
export const seeOther = (location: string): APIGatewayProxyResult => ({
  statusCode: 303,
  headers: { ...HEADERS, Location: location },
  body: '',
});
