import { styleText } from 'node:util';
import { printable } from '../command-line.ts';
import type { LoggedRequest } from './request-log.ts';

type Style = Parameters<typeof styleText>[0];

/** Applies a style to a text, or returns the text as it is. */
export type Paint = (style: Style, text: string) => string;

/** Paints, unless `NO_COLOR` is set (no-color.org). */
export const painter =
  ({ NO_COLOR }: { readonly NO_COLOR?: string | undefined } = process.env): Paint =>
  (style, text) =>
    NO_COLOR ? text : styleText(style, text, { validateStream: false });

/** The columns of a line. A line of a request and a cart has 99 characters. */
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

const timeOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(11, 19);

const lineOf = ({ timeMs, kind, what, status, durationMs, rest }: Columns, paint: Paint): string =>
  [
    paint('dim', timeOf(timeMs)),
    kind.padEnd(7),
    // The longest path of a route has 28 characters.
    printable(what).padEnd(28),
    status === undefined ? '   ' : paint(styleOf(status), String(status)),
    (durationMs === undefined ? '' : `${durationMs} ms`).padStart(7),
    ...rest.filter((text) => text !== undefined).map(printable),
  ].join('  ');

/** A request as one line in aligned columns. Times are in UTC, as in the API. */
export const requestLine = (request: LoggedRequest, paint: Paint): string => {
  const { timeMs, method: kind, path: what, status, durationMs, code, cartId } = request;
  return lineOf({ timeMs, kind, what, status, durationMs, rest: [code, cartId] }, paint);
};

/** The fields that the lines of `lib/core/telemetry.ts`, of deliveries and of the printed bus have. */
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

const parseEntry = (line: string): Entry | undefined => {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
};

/** Fields that the line shows otherwise, or that only CloudWatch reads. */
const HIDDEN_FIELDS = new Set(['level', 'message', 'timestamp', '_aws', 'stage', 'source']);

const problemLine = (entry: Entry, timeMs: number, paint: Paint): string => {
  const { level = '', message = '' } = entry;
  const fields = Object.entries(entry).filter(([name]) => !HIDDEN_FIELDS.has(name));
  return [
    paint('dim', timeOf(timeMs)),
    paint(level === 'ERROR' ? 'red' : 'yellow', level.padEnd(7)),
    printable(`${message} ${JSON.stringify(Object.fromEntries(fields))}`),
  ].join('  ');
};

/** The readable form of a line. `undefined` for a request, which has its own line, and for a metric. */
const readableLine = (line: string, paint: Paint): string | undefined => {
  const entry = parseEntry(line);
  if (!entry) return printable(line);
  const { level, message, detail, status, error, ms: durationMs, endpointId, outcome, _aws: aws } = entry;
  const timeMs = aws?.Timestamp ?? Date.parse(entry.timestamp ?? detail?.timestamp ?? '');
  const what = entry['detail-type'] ?? entry.type ?? '';
  if (detail) return lineOf({ timeMs, kind: 'event', what, rest: [detail.data?.id] }, paint);
  if (message === 'delivery') {
    return lineOf(
      { timeMs, kind: 'webhook', what, status, durationMs, rest: [outcome, error, endpointId] },
      paint,
    );
  }
  return level === 'WARN' || level === 'ERROR' ? problemLine(entry, timeMs, paint) : undefined;
};

/**
 * Converts whole lines of log for a terminal. They are JSON, or text for the operator. Events, deliveries, warnings and
 * errors stay, each in one line.
 */
export const readableLog = (text: string, paint: Paint): string =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => readableLine(line, paint))
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join('');
