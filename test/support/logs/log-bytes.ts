import { ACCESS_LOG_FORMAT } from '../../../infra/stack/gateway/access-log-format.ts';

/** The most bytes of all log lines of a request: that of the function, and that of the gateway's access log. */
export const LOG_BYTES_MAX = { createCartCheckout: 600, getCart: 500 } as const;

/** A request as its logs show it. */
interface LoggedRequest {
  /** The line that the function writes. */
  readonly line: Readonly<Record<string, unknown>>;
  readonly responseBytes: number;
}

/** Three digits: more than nearly all requests take. */
const MS = 123;

/** The line that API Gateway makes of its format. */
const accessLine = (values: Readonly<Record<string, string | number>>): string =>
  ACCESS_LOG_FORMAT.replaceAll(/\$context\.([\w.]+)/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`The gateway has no value for ${name}`);
    return String(values[name]);
  });

/**
 * The bytes of the log lines of a request that a function served. The variables of API Gateway have the values of such a
 * request. Each duration counts as three digits, because a test is faster than AWS.
 */
export const logBytesOf = ({ line, responseBytes }: LoggedRequest) => {
  const written = JSON.stringify({ ...line, ms: MS });
  const access = accessLine({
    requestId: String(line['requestId']),
    status: String(line['status']),
    'error.responseType': '-',
    responseLength: responseBytes,
    responseLatency: MS,
  });
  const [functionBytes, accessBytes] = [Buffer.byteLength(`${written}\n`), Buffer.byteLength(access)];
  return { functionBytes, accessBytes, bytes: functionBytes + accessBytes };
};
