import type { LoggedRequest } from '../gateway/request-log.ts';
import { shellQuoted } from '../../terminal/shell.ts';
import type { Language, Samples } from './code.ts';

/** Headers that each client writes itself, and that of the dashboard. */
const OF_THE_CLIENT =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect|accept-encoding|user-agent|x-sent-by|origin|referer|sec-.*)$/i;

/** A text as a literal of JavaScript and of Python. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

const inPhp = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/** The request that a program sends. */
type Replayed = Pick<LoggedRequest, 'method' | 'headers'> & { readonly url: string; readonly body: string };

const curl = ({ method, url, headers, body }: Replayed): string =>
  [
    // With -g, curl sends braces and brackets as they are. Without it, they stand for several addresses.
    `curl ${/[[\]{}]/.test(url) ? '-g ' : ''}-i -X ${method} ${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ');

const node = ({
  method,
  url,
  headers,
  body,
}: Replayed): string => `const response = await fetch(${quoted(url)}, {
  method: ${quoted(method)},
  headers: {
${headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},\n`).join('')}  },${
  body === '' ? '' : `\n  body: ${quoted(body)},`
}
});
console.log(response.status, await response.text());`;

const python = ({ method, url, headers, body }: Replayed): string => `from urllib.error import HTTPError
from urllib.request import Request, urlopen

request = Request(
    ${quoted(url)},
    method=${quoted(method)},
    headers={
${headers.map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},\n`).join('')}    },${
  body === '' ? '' : `\n    data=${quoted(body)}.encode(),`
}
)
try:
    response = urlopen(request)
except HTTPError as error:
    response = error
print(response.status, response.read().decode())`;

const php = ({ method, url, headers, body }: Replayed): string => `<?php
$response = file_get_contents(${inPhp(url)}, false, stream_context_create(['http' => [
    'method' => ${inPhp(method)},
    'ignore_errors' => true,
    'header' => [
${headers.map(([name, value]) => `        ${inPhp(`${name}: ${value}`)},\n`).join('')}    ],${
  body === '' ? '' : `\n    'content' => ${inPhp(body)},`
}
]]));
echo $http_response_header[0], "\\n", $response;`;

/** Programs that send a request, and print the response. */
export const programsOf = (request: Replayed): Record<Language, { readonly text: string }> => ({
  curl: { text: curl(request) },
  node: { text: node(request) },
  python: { text: python(request) },
  php: { text: php(request) },
});

/** The path and the query of a target. A target may name another origin, but the stage got the request. */
const pathOf = (target: string): string => {
  const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
};

/** Programs that send a request again, with its key and its idempotency key. They lack the headers that each client writes itself. */
export const replayOf = ({ method, target, headers, body }: LoggedRequest, baseUrl: string): Samples =>
  programsOf({
    method,
    url: baseUrl + pathOf(target),
    headers: headers.filter(([name]) => !OF_THE_CLIENT.test(name)),
    body: body?.text ?? '',
  });
