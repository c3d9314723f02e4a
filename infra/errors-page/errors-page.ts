import { API_ERRORS, type ApiErrorKind } from '../../lib/http/errors.ts';
import { ICON_LINK } from '../../lib/pages/icon.ts';
import { inlineSource } from '../../lib/pages/inline-source.ts';
import { type Markup, markup, trusted } from '../../lib/pages/markup.ts';
import { compact } from '../../lib/pages/stylesheet.ts';
import { ERRORS, exampleBody } from '../contract/errors.ts';
import { ERROR_HELP, type ErrorCode } from './error-help.ts';
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

const KINDS = Object.keys(ERRORS) as readonly ApiErrorKind[];

const CODES = Object.keys(ERROR_HELP) as readonly ErrorCode[];

const kindsOf = (code: ErrorCode): readonly ApiErrorKind[] =>
  KINDS.filter((kind) => API_ERRORS[kind].code === code);

const statusesOf = (code: ErrorCode): string =>
  [...new Set(kindsOf(code).map((kind) => API_ERRORS[kind].status))].join(', ');

const codeBlock = (content: string | readonly Markup[]): Markup =>
  markup`<pre tabindex="0"><code>${content}</code></pre>\n`;

/** Code in which a line that begins with `-` or `+` is removed or added. */
const diffBlock = (text: string): Markup =>
  codeBlock(
    text.split(/(?<=\n)/).map((line) => {
      if (line.startsWith('-')) return markup`<del>${line}</del>`;
      return line.startsWith('+') ? markup`<ins>${line}</ins>` : markup`${line}`;
    }),
  );

/** The status of an error, its meaning and the next step. */
const meaningOf = (kind: ApiErrorKind): Markup => {
  const { condition, remedy } = ERRORS[kind];
  const { status } = API_ERRORS[kind];
  return markup`<p><strong>${String(status)}</strong> ${withCode(`${condition.replace(/\.$/, '')}. ${remedy}`)}</p>\n`;
};

/** The response of an error, with each of its details on one line. */
const responseOf = (kind: ApiErrorKind): Markup => {
  const body = JSON.stringify(exampleBody(kind), null, 2);
  const lines = body.replaceAll(/\{\n +("path": .*)\n +("message": .*)\n +\}/g, '{ $1 $2 }');
  return codeBlock(`HTTP/1.1 ${API_ERRORS[kind].status}\n\n${lines}`);
};

const fixOf = (code: ErrorCode): Markup => {
  const { fix } = ERROR_HELP[code];
  if (fix !== undefined) return markup`<h3>The fix</h3>\n${diffBlock(fix)}`;
  const isRetry = kindsOf(code).some((kind) => ERRORS[kind].remedy.startsWith('Retry'));
  return isRetry ? markup`<p><a href="#retry">How to retry</a></p>\n` : markup``;
};

/** The title of the page. */
export const ERRORS_TITLE = 'Errors of the API';

const RETRY = `const send = () => fetch(url, { method: 'POST', headers, body }); // always with the same Idempotency-Key
let response = await send();
for (let n = 0; n < 5 && (response.status === 408 || response.status === 429 || response.status >= 500); n += 1) {
  const seconds = Number(response.headers.get('Retry-After')) + 0.5 * 2 ** n * Math.random();
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  response = await send();
}`;

const INTRODUCTION = markup`<p>Programs read the status and the <code>code</code> of an error. The <code>message</code> is for people, and <code>details</code> has the reasons, if the service knows them. To report an error, send us the <code>code</code>, the time and the header <code>X-Request-Id</code>. Never send the API key.</p>
<nav aria-label="Codes"><ul class="codes">${CODES.map((code) => markup`<li><a href="#${code}"><code>${code}</code></a> ${statusesOf(code)}</li>`)}</ul></nav>
<section id="retry">
<h2>Retry</h2>
<p>Retry after 408, 429 and every 5xx, at most five times. Wait for the seconds in <code>Retry-After</code> and a random time. The clients do this for you. After any other status, the same request would fail again.</p>
${codeBlock(RETRY)}</section>
`;

/**
 * The meaning, a response, the causes and the fix of each code, the most frequent code first.
 *
 * @param linkOf makes the link from a code to its place in the guide, on a stage that has a guide
 */
export const errorSections = (linkOf?: (code: ErrorCode) => Markup): Markup => {
  const sectionOf = (code: ErrorCode): Markup => markup`<section id="${code}" class="error">
<div>
<h2><code>${code}</code></h2>
${kindsOf(code).map(meaningOf)}<h3>Frequent causes</h3>
<ul class="causes">${ERROR_HELP[code].causes.map((cause) => markup`<li>${withCode(cause)}</li>`)}</ul>
${fixOf(code)}${linkOf && markup`<p>${linkOf(code)}</p>\n`}</div>
<div>
${kindsOf(code).map(responseOf)}</div>
</section>
`;
  return markup`${INTRODUCTION}${CODES.map(sectionOf)}`;
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
  return page.replaceAll('&#39;', '&apos;').replaceAll('#', '&num;').replaceAll('$', '&dollar;');
};
