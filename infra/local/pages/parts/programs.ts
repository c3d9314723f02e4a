import { shellQuoted } from '../../../terminal/shell.ts';
import type { Language } from './code.ts';

/** A text as a literal of JavaScript and of Python. */
const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

const inPhp = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/** The request that a program sends. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty for none. */
  readonly body: string;
}

const curl = ({ method, url, headers, body }: Call): string =>
  [
    // With -g, curl sends braces and brackets as they are. Without it, they stand for several addresses.
    `curl ${/[[\]{}]/.test(url) ? '-g ' : ''}-i -X ${method} ${shellQuoted(url)}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${shellQuoted(body)}`]),
  ].join(' \\\n  ');

const node = ({ method, url, headers, body }: Call): string => `const response = await fetch(${quoted(url)}, {
  method: ${quoted(method)},
  headers: {
${headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},\n`).join('')}  },${
  body === '' ? '' : `\n  body: ${quoted(body)},`
}
});
console.log(response.status, await response.text());`;

const python = ({ method, url, headers, body }: Call): string => `from urllib.error import HTTPError
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

const php = ({ method, url, headers, body }: Call): string => `<?php
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
export const programsOf = (request: Call): Record<Language, string> => ({
  curl: curl(request),
  node: node(request),
  python: python(request),
  php: php(request),
});
