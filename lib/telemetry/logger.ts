// The first access opens the stream in about a millisecond. It happens here, at cold start, and not in a request.
const { stdout } = process;

/** The fields of a log line. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes fields alone, as one line of JSON. Not by `console`: Lambda wraps its lines, and CloudWatch extracts metrics only from
 * lines with `_aws` at their top level.
 */
export const writeLine = (entry: Fields): void => void stdout.write(`${JSON.stringify(entry)}\n`);

/** The X-Ray trace id of the current request, if X-Ray keeps its trace. Only Lambda sets it. */
const sampledTraceId = (): string | undefined => {
  const header = process.env['_X_AMZN_TRACE_ID'];
  return header?.includes('Sampled=1') ? header.match(/Root=([^;]+)/)?.[1] : undefined;
};

const write = (level: 'WARN' | 'ERROR' | undefined, message: string | undefined, fields: Fields): void =>
  writeLine({
    level,
    message,
    // A line with metrics has its time in `_aws`.
    timestamp: '_aws' in fields ? undefined : new Date().toISOString(),
    xray_trace_id: sampledTraceId(),
    ...fields,
  });

/**
 * Writes one JSON line per entry to standard output. Never pass it a whole event, header, body or error. CloudWatch bills
 * each byte: a line without a level is information, and the log group names the service.
 *
 * Powertools' logger and metrics would make every cold start a tenth longer.
 */
export const logger = {
  /** Writes the line of a request, which has no message. */
  request: (fields: Fields): void => write(undefined, undefined, fields),
  info: (message: string, fields: Fields): void => write(undefined, message, fields),
  warn: (message: string, fields: Fields): void => write('WARN', message, fields),
  error: (message: string, fields: Fields): void => write('ERROR', message, fields),
};
