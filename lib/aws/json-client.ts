import { StandardRetryStrategy } from '@smithy/core/retry';
import type { Clock } from '../core/clock.ts';
import type { TrueClock } from '../core/true-clock.ts';
import { unlessAborted } from '../core/unless-aborted.ts';
import { fromJson, toJson } from './attribute-bytes.ts';
import type { Fields } from './document-values.ts';
import {
  environmentCredentials,
  environmentEndpoint,
  environmentRegion,
  regionEndpoint,
} from './environment.ts';
import { type CallError, nextToken, type RetryStrategy, type RetryToken } from './retry.ts';
import { type CallMetadata, type Exceptions, metadataOf, serviceError } from './service-errors.ts';
import { authorization, type Credentials, signatureTimestamp } from './signature.ts';
import { abortError, createTransport, type Transport, type TransportResponse } from './transport.ts';

/** A service of AWS that speaks AWS JSON. */
export interface Service {
  /** Its name in `AWS_ENDPOINT_URL_…`. */
  readonly id: string;
  /** Its signing name, which is also the first label of its host name. */
  readonly name: string;
  /** The prefix of the `X-Amz-Target` header, before the operation's name. */
  readonly target: string;
  /** The version of AWS JSON. */
  readonly version: '1.0' | '1.1';
  /** Headers of this service alone: names and values in turn. */
  readonly headers?: readonly string[];
  readonly exceptions: Exceptions;
}

export interface ClientConfig {
  /** The default is that of the environment. */
  readonly endpoint?: string;
  /** The default is that of the environment. */
  readonly region?: string;
  /** The default is those of the environment, read once. A function is called for each attempt. */
  readonly credentials?: Credentials | (() => Promise<Credentials>);
  readonly customUserAgent?: string;
  /** Sends the requests. A test or a warm-up replaces it. */
  readonly transport?: Transport;
  readonly retryStrategy?: RetryStrategy;
  /** The machine's clock, which signs. A test replaces it. */
  readonly machineNow?: Clock;
}

/** The defaults of a service's client. */
export interface Defaults {
  /** The time limit of one attempt. */
  readonly timeoutMs: number;
  readonly retryStrategy: RetryStrategy;
}

const USER_AGENT = 'cart-checkout';

/**
 * The skew of the machine's clock from which a failed attempt is retried with the right time, as in the SDK. AWS rejects a
 * signature whose time is wrong by five minutes.
 */
const SKEW_MIN_MS = 240_000;

/** The part of a command of the SDK that this client reads. The third entry of the schema is the operation's name. */
export interface Command {
  readonly input: Fields;
  readonly schema: readonly [kind: number, namespace: string, operation: string, ...rest: unknown[]];
}

export interface SendOptions {
  readonly abortSignal?: AbortSignal | undefined;
}

/** The result of a call, with its metadata. */
export type Output = Fields & { $metadata: CallMetadata };

const parse = (response: TransportResponse): unknown => {
  try {
    if (response.cut) throw response.cut;
    return response.body === '' ? {} : fromJson(response.body);
  } catch (error) {
    throw Object.assign(error as Error, { $metadata: metadataOf(response) });
  }
};

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A client of a service that speaks AWS JSON over HTTP. It has the results, exceptions and retries of the SDK's client, for
 * a fraction of its processor time.
 */
export class JsonClient {
  /** Sends the requests. A test or a warm-up may replace it. */
  transport: Transport;
  readonly #service: Service;
  readonly #config: ClientConfig;
  readonly #clock: TrueClock | undefined;
  readonly #retries: RetryStrategy;
  readonly #machineNow: Clock;
  /** The time of AWS minus that of the machine's clock. */
  #offsetMs = 0;
  readonly #givenEndpoint: URL | undefined;
  #region: string | undefined;
  #endpoint: URL | undefined;
  #credentials: Credentials | undefined;

  /**
   * @param defaults by default, two attempts of 3 s
   * @param clock a clock that the responses correct
   * @throws Error if the endpoint of the environment has a path
   */
  constructor(
    service: Service,
    config: ClientConfig,
    defaults: Defaults = { timeoutMs: 3_000, retryStrategy: new StandardRetryStrategy(2) },
    clock?: TrueClock,
  ) {
    this.#service = service;
    this.#config = config;
    const { endpoint } = config;
    this.#givenEndpoint = endpoint === undefined ? environmentEndpoint(service.id) : new URL(endpoint);
    this.#clock = clock;
    this.#retries = config.retryStrategy ?? defaults.retryStrategy;
    this.#machineNow = config.machineNow ?? Date.now;
    this.transport = config.transport ?? createTransport(defaults.timeoutMs);
  }

  /** Sends a command of the SDK. */
  send({ input, schema: [, , operation] }: Command, { abortSignal }: SendOptions = {}): Promise<Output> {
    return this.call(operation, input, abortSignal);
  }

  /**
   * Calls an operation, in as many attempts as the retry strategy allows.
   *
   * @param operation its name, such as `GetItem`
   * @throws the SDK's exception for an error of the service, or the transport's error of the last attempt
   */
  async call(operation: string, input: unknown, signal?: AbortSignal): Promise<Output> {
    const body = toJson(input);
    let token: RetryToken = await this.#retries.acquireInitialRetryToken('');
    let totalRetryDelay = 0;
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
        const output = await this.#attempt(operation, body, signal);
        this.#retries.recordSuccess(token);
        output.$metadata.attempts = token.getRetryCount() + 1;
        output.$metadata.totalRetryDelay = totalRetryDelay;
        return output;
      } catch (thrown) {
        const error = thrown as CallError;
        // oxlint-disable-next-line no-await-in-loop -- the pause before the next attempt
        const next = await this.#refresh(token, error, signal);
        if (!next) {
          Object.assign((error.$metadata ??= {}), { attempts: token.getRetryCount() + 1, totalRetryDelay });
          throw error;
        }
        token = next;
        totalRetryDelay += next.$retryLog?.acquisitionDelay ?? 0;
      }
    }
  }

  /**
   * Opens a connection ahead of a call. It sends a GET without a signature: DynamoDB responds with its health. The response
   * corrects the clock.
   *
   * @throws the transport's error
   */
  async connect(): Promise<void> {
    const endpoint = (this.#endpoint ??= this.#resolveEndpoint());
    const headers = ['host', endpoint.host, 'user-agent', this.#config.customUserAgent ?? USER_AGENT];
    const endCall = this.#clock?.startCall();
    const response = await this.transport.send({ endpoint, method: 'GET', headers, body: '' });
    if (response.headers['x-amzn-requestid'] !== undefined) endCall?.(response.headers.date ?? '');
  }

  /** Closes the idle connections. */
  destroy(): void {
    this.transport.close();
  }

  /** Waits for the next attempt, as {@link nextToken} does, or until the call is aborted. */
  async #refresh(
    token: RetryToken,
    error: CallError,
    signal: AbortSignal | undefined,
  ): Promise<RetryToken | undefined> {
    const refreshed = nextToken(this.#retries, token, error);
    if (!signal) return refreshed;
    const next = await unlessAborted(refreshed, signal).catch(() => undefined);
    if (signal.aborted) throw abortError();
    return next;
  }

  async #attempt(operation: string, body: string, signal: AbortSignal | undefined): Promise<Output> {
    const endpoint = (this.#endpoint ??= this.#resolveEndpoint());
    const offsetMs = this.#offsetMs;
    const headers = this.#sign(operation, body, endpoint, await this.#currentCredentials());
    const endCall = this.#clock?.startCall();
    const response = await this.transport.send({ endpoint, method: 'POST', headers, body }, signal);
    // A proxy's own response has no request id, and the time of another machine.
    if (response.headers['x-amzn-requestid'] !== undefined) endCall?.(response.headers.date ?? '');
    this.#correctOffset(response);
    try {
      return this.#outputOf(response);
    } catch (error) {
      const { $metadata } = error as CallError;
      const isSkewed = Math.abs(this.#offsetMs) >= SKEW_MIN_MS && this.#offsetMs !== offsetMs;
      if ($metadata && isSkewed) $metadata.clockSkewCorrected = true;
      throw Object.defineProperty(error, '$response', { value: response, enumerable: false });
    }
  }

  #outputOf(response: TransportResponse): Output {
    const parsed = parse(response);
    if (response.statusCode >= 300) {
      throw serviceError(response, Object(parsed) as Fields, this.#service.exceptions);
    }
    // As in the SDK, a list is an empty result, and a text has its characters as fields.
    const output = isObject(parsed) ? parsed : { ...(Array.isArray(parsed) ? {} : (parsed as object)) };
    output['$metadata'] = metadataOf(response);
    return output as Output;
  }

  /** Corrects the offset as the SDK does. A cache's response, which has an age, has an earlier time. */
  #correctOffset({ headers }: TransportResponse): void {
    const dateMs = Date.parse(headers.date ?? '');
    if (!Number.isNaN(dateMs) && headers.age === undefined) this.#offsetMs = dateMs - this.#machineNow();
  }

  #currentCredentials(): Credentials | Promise<Credentials> {
    const { credentials } = this.#config;
    if (typeof credentials === 'function') return credentials();
    return (this.#credentials ??= credentials ?? environmentCredentials());
  }

  #resolveEndpoint(): URL {
    const { region = environmentRegion() } = this.#config;
    this.#region = region;
    return this.#givenEndpoint ?? regionEndpoint(this.#service.name, region);
  }

  /** The headers of an attempt: names and values in turn. */
  #sign(operation: string, body: string, { host }: URL, credentials: Credentials): readonly string[] {
    const { name: service, target, version, headers = [] } = this.#service;
    const timestamp = signatureTimestamp(this.#machineNow() + this.#offsetMs);
    const { sessionToken } = credentials;
    const signed: [name: string, value: string][] = [
      ['content-type', `application/x-amz-json-${version}`],
      ['host', host],
      ['x-amz-date', timestamp],
    ];
    if (sessionToken !== undefined) signed.push(['x-amz-security-token', sessionToken]);
    signed.push(['x-amz-target', `${target}.${operation}`]);
    const scope = { region: this.#region as string, service };
    const raw = [
      'authorization',
      authorization({ headers: signed, body }, credentials, scope, timestamp),
      'user-agent',
      this.#config.customUserAgent ?? USER_AGENT,
      'content-length',
      String(Buffer.byteLength(body)),
      ...headers,
    ];
    for (const [name, value] of signed) raw.push(name, value);
    return raw;
  }
}
