import { API_ERRORS, type ApiErrorKind } from '../lib/http/errors.ts';
import { inlineSource } from '../lib/sandbox/inline-source.ts';
import { type Markup, markup, trusted } from '../lib/sandbox/markup.ts';
import { ERRORS } from './contract/errors.ts';

/** Without `#`, so without colours in hex: see {@link errorsPage}. */
const STYLESHEET =
  ':root{color-scheme:light dark}' +
  'body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}' +
  'h2{margin:2.5rem 0 0;font-size:1.125rem;overflow-wrap:anywhere}' +
  'p{margin:.5rem 0}' +
  ':target{outline:2px solid;outline-offset:.75rem}';

/** In the page itself: API Gateway encloses a header in single quotes, which cannot contain others. */
const SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${inlineSource(STYLESHEET)}`,
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

const sectionOf = (code: string, kinds: readonly ApiErrorKind[]): Markup => markup`<section id="${code}">
<h2><code>${code}</code></h2>
${kinds.map(causeOf)}</section>
`;

const KINDS = Object.keys(ERRORS) as readonly ApiErrorKind[];

/**
 * The page with the meaning and the remedy of each code.
 *
 * It has neither `#` nor `$`: API Gateway reads it as a template of Velocity, in which both have a meaning.
 */
export const errorsPage = (): string => {
  const byCode = Map.groupBy(KINDS, (kind) => API_ERRORS[kind].code);
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(SECURITY_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors of the Cart Checkout API</title>
<style>${trusted(STYLESHEET)}</style>
</head>
<body>
<main>
<h1>Errors of the Cart Checkout API</h1>
<p>The body of every error is a JSON object with <code>code</code> and <code>message</code>. Programs read the status and the <code>code</code>. The <code>message</code> is for people.</p>
<p>“Retry” means: wait for the seconds in <code>Retry-After</code>, then send the same request with the same <code>Idempotency-Key</code>, at most five times. “Fix” means that the same request would fail again. To report an error, send us the <code>code</code>, the time and the header <code>X-Request-Id</code>. Never send the API key.</p>
${[...byCode].map(([code, kinds]) => sectionOf(code, kinds))}</main>
</body>
</html>
`.toString();
  return page.replaceAll('&#39;', '&apos;');
};
