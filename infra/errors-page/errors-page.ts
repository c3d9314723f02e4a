import { API_ERRORS, type ApiErrorKind } from '../../lib/http/errors.ts';
import { ICON_LINK } from '../../lib/pages/icon.ts';
import { inlineSource } from '../../lib/pages/inline-source.ts';
import { type Markup, markup, trusted } from '../../lib/pages/markup.ts';
import { compact } from '../../lib/pages/stylesheet.ts';
import { ERRORS } from '../contract/errors.ts';
import { BRAND, PAGE_STYLE } from './page-frame.ts';

/** A colour such as `#dde1ea` without its `#`: see {@link errorsPage}. */
const rgbOf = (digits: string): string => {
  const long = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits;
  const [red, green, blue, alpha = 255] = (long.match(/../g) ?? []).map((value) =>
    Number.parseInt(value, 16),
  );
  return `rgb(${red} ${green} ${blue}/${Math.round(alpha / 2.55)}%)`;
};

const STYLESHEET = compact(PAGE_STYLE).replaceAll(/#([\da-f]+)/g, (_, digits: string) => rgbOf(digits));

type ErrorCode = (typeof API_ERRORS)[ApiErrorKind]['code'];

/** In the page itself: API Gateway encloses a header in single quotes, which cannot contain others. */
const SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${inlineSource(STYLESHEET)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The headers of the page. */
export const ERRORS_PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** A text in which backticks enclose code. */
const withCode = (text: string): Markup[] =>
  text.split('`').map((part, index) => (index % 2 === 0 ? markup`${part}` : markup`<code>${part}</code>`));

const causeOf = (kind: ApiErrorKind): Markup => {
  const { condition, remedy } = ERRORS[kind];
  const { status, message } = API_ERRORS[kind];
  return markup`<p><strong>${String(status)}</strong> “${message}”</p>
<p>${withCode(`${condition.replace(/\.$/, '')}. ${remedy}`)}</p>
`;
};

const KINDS = Object.keys(ERRORS) as readonly ApiErrorKind[];

/** The title of the page. */
export const ERRORS_TITLE = 'Errors of the API';

/**
 * The meaning and the remedy of each code.
 *
 * @param linkOf makes the link from a code to its place in the guide, on a stage that has a guide
 */
export const errorSections = (linkOf?: (code: ErrorCode) => Markup): Markup => {
  const byCode = Map.groupBy(KINDS, (kind) => API_ERRORS[kind].code);
  const sectionOf = ([code, kinds]: [
    ErrorCode,
    readonly ApiErrorKind[],
  ]): Markup => markup`<section id="${code}">
<h2><code>${code}</code></h2>
${kinds.map(causeOf)}${linkOf && markup`<p>${linkOf(code)}</p>\n`}</section>
`;
  return markup`<p>The body of every error is a JSON object with <code>code</code> and <code>message</code>. Programs read the status and the <code>code</code>. The <code>message</code> is for people.</p>
<p>“Retry” means: wait for the seconds in <code>Retry-After</code>, then send the same request with the same <code>Idempotency-Key</code>, at most five times. “Fix” means that the same request would fail again. To report an error, send us the <code>code</code>, the time and the header <code>X-Request-Id</code>. Never send the API key.</p>
${[...byCode].map(sectionOf)}`;
};

/**
 * The page of a deployed stage, with the meaning and the remedy of each code.
 *
 * It has neither `#` nor `$`: API Gateway reads it as a template of Velocity, in which both have a meaning.
 */
export const errorsPage = (): string => {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(SECURITY_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${ERRORS_TITLE} – Cart Checkout</title>
${ICON_LINK}
<style>${trusted(STYLESHEET)}</style>
</head>
<body>
<header><div><p class="brand">${BRAND}</p></div></header>
<main>
<h1>${ERRORS_TITLE}</h1>
${errorSections()}</main>
</body>
</html>
`.toString();
  return page.replaceAll('&#39;', '&apos;');
};
