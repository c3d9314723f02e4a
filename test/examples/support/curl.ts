import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** The curl commands of a document, in order, one per entry. */
const curlsOf = (document: string): string[] =>
  readFileSync(document, 'utf8')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('curl '));

/** The commands of a document by what they do. */
export const commandsOf = (document: string, change = (command: string) => command) => {
  const commands = curlsOf(document).map(change);
  const find = (part: string) => commands.find((command) => command.includes(part));
  return {
    create: find('/cart/checkout '),
    get: find('/stores/cart/{id}'),
    again: find('If-None-Match'),
    feed: find('/stores/events'),
    endpoint: find('/webhook-endpoints'),
    decline: find('action=decline'),
    pay: find('action=pay'),
  };
};

/** Sends a curl command's request to a stage at this address. Supports the flags that the documents use. */
export const runCurl = async (baseUrl: string, command = '', id = ''): Promise<Response> => {
  const onStage = command.replace('http://127.0.0.1:3000', baseUrl).replaceAll('{id}', id);
  const words = [...onStage.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const headers = new Headers();
  let url = '';
  let body: string | null = null;
  for (let index = 1; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-d') body = words[++index] ?? '';
    else if (word === '-H') headers.append(...(words[++index]?.split(': ', 2) as [string, string]));
    else if (word.startsWith('http')) url = word;
    else expect(word).toBe('-i');
  }
  if (body !== null && !headers.has('content-type')) {
    headers.set('Content-Type', 'application/x-www-form-urlencoded');
  }
  return fetch(url, { method: body === null ? 'GET' : 'POST', headers, body, redirect: 'manual' });
};
