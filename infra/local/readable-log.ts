import { parseJson } from '../../lib/core/parse-json.ts';
import { isoTime } from '../../lib/core/timestamps.ts';
import type { Line, Part, Style } from '../terminal/terminal.ts';
import type { LoggedRequest } from './requests/request-log.ts';

/** The columns of a line. */
interface Columns {
  readonly timeMs: number;
  readonly kind: string;
  readonly what: string;
  readonly status?: number | undefined;
  readonly durationMs?: number | undefined;
  /** Printed if there is any. */
  readonly rest: readonly (string | undefined)[];
}

const styleOf = (status: number): Style => {
  if (status < 300) return 'green';
  if (status < 400) return 'cyan';
  return status < 500 ? 'yellow' : 'red';
};

const timeOf = (timeMs: number): string => isoTime(timeMs).slice(11, 19);

/** A line of parts with two spaces between them. */
const spaced = (parts: readonly Part[]): Line =>
  parts.flatMap((part, i) => (i === 0 ? [part] : ['  ', part]));

/** The columns of varying length are the last, to align those before them. */
const lineOf = ({ timeMs, kind, what, status, durationMs, rest }: Columns): Line =>
  spaced([
    ['dim', timeOf(timeMs)],
    status === undefined ? '   ' : [styleOf(status), String(status)],
    (durationMs === undefined ? '' : `${durationMs} ms`).padStart(7),
    kind.padEnd(7),
    what,
    ...rest.filter((text) => text !== undefined),
  ]);

/** A request as one line in aligned columns, with the reason of an error. Times are in UTC, as in the API. */
export const requestLine = (request: LoggedRequest): Line => {
  const { timeMs, method: kind, target: what, status, durationMs, code, reason, cartId } = request;
  // The path of a later request has the id.
  const created = status === 201 ? cartId : undefined;
  return lineOf({ timeMs, kind, what, status, durationMs, rest: [created, code, reason] });
};

/** The fields that the lines of `lib/telemetry/logger.ts`, of deliveries and of the printed bus have. */
interface Entry {
  readonly level?: string;
  readonly message?: string;
  readonly timestamp?: string;
  /** Lines with metrics have their timestamp here, in milliseconds. */
  readonly _aws?: { readonly Timestamp?: number };
  readonly type?: string;
  readonly status?: number;
  readonly error?: string;
  readonly ms?: number;
  readonly endpointId?: string;
  readonly outcome?: string;
  readonly 'detail-type'?: string;
  readonly detail?: { readonly timestamp?: string; readonly data?: { readonly id?: string } };
}

/** Fields that the line shows otherwise, or that only CloudWatch reads. */
const HIDDEN_FIELDS = new Set(['level', 'message', 'timestamp', '_aws', 'stage', 'source']);

const problemLine = (entry: Entry, timeMs: number): Line => {
  const { level = '', message = '' } = entry;
  const fields = Object.entries(entry).filter(([name]) => !HIDDEN_FIELDS.has(name));
  return spaced([
    ['dim', timeOf(timeMs)],
    [level === 'ERROR' ? 'red' : 'yellow', level.padEnd(7)],
    `${message} ${JSON.stringify(Object.fromEntries(fields))}`,
  ]);
};

/** The readable form of a line. `undefined` for a request, which has its own line, and for a metric. */
const readableLine = (line: string): Line | undefined => {
  const entry = parseJson(line) as Entry | null | undefined;
  if (typeof entry !== 'object' || entry === null) return line;
  const { level, message, detail, status, error, ms: durationMs, endpointId, outcome, _aws: aws } = entry;
  const timeMs = aws?.Timestamp ?? Date.parse(entry.timestamp ?? detail?.timestamp ?? '');
  const what = entry['detail-type'] ?? entry.type ?? '';
  if (detail) return lineOf({ timeMs, kind: 'event', what, rest: [detail.data?.id] });
  if (message === 'delivery') {
    return lineOf({ timeMs, kind: 'webhook', what, status, durationMs, rest: [outcome, error, endpointId] });
  }
  return level === 'WARN' || level === 'ERROR' ? problemLine(entry, timeMs) : undefined;
};

/**
 * Converts whole lines of log for a terminal. They are JSON, or text for the operator. Events, deliveries, warnings and
 * errors stay, each in one line.
 */
export const readableLog = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(readableLine)
    .filter((line) => line !== undefined);
