import type { IncomingMessage } from 'node:http';

const RESPONSE_BYTES_MAX = 4_096;

/** Reads at most the first 4 KB of a body. Leaving the loop destroys the connection. */
const readStart = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= RESPONSE_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX);
};

/** The most characters of a response in the record of a delivery. */
const CHARACTERS_MAX = 500;

/** API keys and signing secrets. A receiver's error page may show its settings, and operators read the record. */
const SECRETS = /(cck_(?:test|live)_|whsec_)[^\s"'<>]*/g;

/** The beginning of a response's body for people, in one line: without control, format and unassigned characters. */
export const responseText = (body: Buffer): string => {
  const text = body
    .toString('utf8')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(SECRETS, '$1***')
    .trim();
  return Array.from(text).slice(0, CHARACTERS_MAX).join('');
};

/** The text to show of a response. A compressed body has none: its encoding tells why. */
export const textOf = async (response: IncomingMessage): Promise<string> => {
  const { 'content-encoding': encoding = 'identity' } = response.headers;
  const body = await readStart(response);
  const isText = body.length === 0 || encoding.trim().toLowerCase() === 'identity';
  return responseText(isText ? body : Buffer.from(`[content-encoding: ${encoding}]`));
};
