import { createHash, createHmac, createSecretKey } from 'node:crypto';
import type { Agent } from 'node:http';
import type { Readable } from 'node:stream';
import { StandardRetryStrategy } from '@smithy/core/retry';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** The time limit of an attempt until the headers of the response, and again for its body. */
const TIMEOUT_MS = 2_000;

/**
 * The SDK's standard retries, except for throttled calls. The SDK would sleep up to a second before it retries a hot item,
 * and waiting requests would occupy every environment. Fail fast: the client decides when to retry.
 */
class RetriesUnlessThrottled extends StandardRetryStrategy {
  override refreshRetryTokenForRetry(
    ...args: Parameters<StandardRetryStrategy['refreshRetryTokenForRetry']>
  ) {
    // The client discards this error and throws the throttle.
    if (args[1].errorType === 'THROTTLING') throw new Error('A throttled call is not retried');
    return super.refreshRetryTokenForRetry(...args);
  }
}

/**
 * The hash of the SDK's signer: SHA-256, or its HMAC if there is a key. The SDK's own hash passes bytes as the key. Node.js 24
 * then throws and catches two errors for each, which takes 4 % of a request's CPU time. After an update of the SDK, compare the ratios of
 * `npm run bench -- overhead` with and without it.
 */
export class Sha256 {
  readonly #hash;

  constructor(key?: string | ArrayBuffer | ArrayBufferView) {
    const keyObject = typeof key === 'object' ? createSecretKey(key as NodeJS.ArrayBufferView) : key;
    this.#hash = keyObject === undefined ? createHash('sha256') : createHmac('sha256', keyObject);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  /** The interface demands it. The signer makes a new hash instead. */
  reset(): never {
    throw new Error('A hash cannot be reset');
  }
}

/** An error with the name that the SDK retries. */
const timeoutError = (error: Error): Error => Object.assign(error, { name: 'TimeoutError' });

/** Reads a body to its end. */
const read = (body: Readable): Promise<Buffer> =>
  new Promise((settle, reject) => {
    const chunks: Buffer[] = [];
    const stop = () => body.destroy(timeoutError(new Error('The response stopped')));
    const timer = setTimeout(stop, TIMEOUT_MS);
    body
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('end', () => settle(Buffer.concat(chunks)))
      .on('close', () => clearTimeout(timer));
  });

/**
 * The SDK's request handler, with each response in one buffer: the SDK's own collector of streams takes 4 % of a request's CPU
 * time more. Compare it as {@link Sha256}.
 */
class RequestHandler extends NodeHttpHandler {
  constructor() {
    super({ requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true });
  }

  override async handle(...args: Parameters<NodeHttpHandler['handle']>) {
    try {
      const { response } = await super.handle(...args);
      response.body = await read(response.body as Readable);
      return { response };
    } catch (error) {
      // The network may have lost every connection. The next attempt opens a new one. `clients.test.ts` fails without this.
      const { httpAgent, httpsAgent } = this.httpHandlerConfigs();
      const idle = [httpAgent, httpsAgent].map((agent) => Object.values((agent as Agent)?.freeSockets ?? {}));
      for (const socket of idle.flat(2)) socket?.destroy();
      // The SDK does not know the codes of Node's HTTP parser. Any other name stays, for the log. A defect has no code.
      const { name, code } = error as NodeJS.ErrnoException;
      const isNetworkError = /^(?:Aggregate)?Error$/.test(name) && typeof code === 'string';
      throw isNetworkError ? timeoutError(error as Error) : error;
    }
  }
}

/** The options of every client. */
export const clientOptions = () => ({
  requestHandler: new RequestHandler(),
  retryStrategy: new RetriesUnlessThrottled({ maxAttempts: 3 }),
});
