import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpRequest } from '../http/load.ts';

/**
 * How long a peer keeps an idle connection, as long as the local stage does. With Node's 5 s, Vendure resets connections
 * under load: it reads none while it works on requests of others, so a connection with a request seems idle.
 */
const KEEP_ALIVE_TIMEOUT_MS = 60_000;

/** Every peer listens on loopback alone. */
export const HOST = '127.0.0.1';

/** The requests that a system measures itself by. */
export interface CartRequests {
  /** Creates a cart with one product and the buyer's e-mail address. */
  readonly create: HttpRequest;
  /** Retrieves a cart that exists. */
  readonly retrieve: HttpRequest;
}

/** The one line of JSON that a peer prints when it accepts requests. It prints nothing else to standard output. */
export interface ReadyPeer extends CartRequests {
  readonly baseUrl: string;
}

/** Where a peer keeps its data: its first argument. */
export const dataFolder = (): string => {
  const [, , folder] = process.argv;
  if (folder === undefined) throw new Error('The first argument is the folder of the data.');
  return folder;
};

/**
 * Starts a peer in this process, prints what `start` returns, and ends with the parent process. Its logs go to standard
 * error.
 */
export const runPeer = async (start: () => Promise<ReadyPeer>): Promise<void> => {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // The system closes the input when the parent ends, also by SIGKILL.
  process.stdin.resume().once('end', () => process.exit(1));
  process.once('SIGTERM', () => process.exit(0));
  write(`${JSON.stringify(await start())}\n`);
};

/** Makes a server keep its idle connections. Returns its address. */
export const baseUrlOf = (server: HttpServer): string => {
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  return `http://${HOST}:${(server.address() as AddressInfo).port}`;
};

/** Sends a request to a peer that has started. @throws Error if the response is not valid */
export const sendOnce = async (
  baseUrl: string,
  { method, path, headers, body, validText }: HttpRequest,
): Promise<{ readonly headers: Headers; readonly text: string }> => {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok || !text.includes(validText)) {
    throw new Error(`${method} ${path} failed with ${response.status}: ${text}`);
  }
  return { headers: response.headers, text };
};
