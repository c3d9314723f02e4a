/** A request as it was on the wire. */
export interface WireRequest {
  /** Such as `POST / HTTP/1.1`. */
  readonly line: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';

/** Reads the first request of some bytes. `undefined` while its end is missing. */
export const parseRequest = (bytes: Buffer): WireRequest | undefined => {
  const headLength = bytes.indexOf(HEAD_END);
  if (headLength === -1) return undefined;
  const [line = '', ...headerLines] = bytes.toString('latin1', 0, headLength).split('\r\n');
  const headers = Object.fromEntries(
    headerLines.map((header) => {
      const colon = header.indexOf(':');
      return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
    }),
  );
  const start = headLength + HEAD_END.length;
  const end = start + Number(headers['content-length'] ?? 0);
  return bytes.length < end ? undefined : { line, headers, body: bytes.subarray(start, end) };
};

/** The bytes of a response. */
export const responseBytes = (
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Buffer => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`, 'latin1'), body]);
};
