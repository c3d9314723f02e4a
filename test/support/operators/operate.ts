import { PassThrough, Writable } from 'node:stream';
import { operate as operateOn } from '../../../infra/operate/program.ts';
import type { ExitCode } from '../../../infra/terminal/command-line.ts';
import type { Streams } from '../../../infra/terminal/terminal.ts';
import type { Clock } from '../../../lib/core/clock.ts';
import { appendToLogFile } from '../logs/log-files.ts';
import type { Ended } from '../programs/processes.ts';

/** The streams and the clock of a command in this process. */
export interface OperateOptions {
  readonly now?: Clock;
  /** Makes every stream a terminal, on which the operator types this. */
  readonly typed?: string;
  /** The width of the terminal in characters. */
  readonly columns?: number;
  /** The code of the error with which standard output rejects every write. */
  readonly outputError?: string | undefined;
  /** Ends a command that runs until it is stopped. */
  readonly stop?: AbortSignal;
  /** Waits instead of a timer. By default, no command waits. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** The addresses of host names. By default, each host has a public one. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>;
}

/** A stream that collects its text, unless every write fails. */
const collector = (isTTY: boolean, errorCode?: string) => {
  let collected = '';
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string, _encoding, done) => {
      if (errorCode !== undefined) return done(Object.assign(new Error('failed'), { code: errorCode }));
      collected += chunk;
      return done();
    },
  });
  return { stream: Object.assign(stream, { isTTY }), text: () => collected };
};

/** Runs a command line in this process, on streams of its own. Its standard error joins the run's log lines. */
export const runInProcess = async (
  command: (streams: Streams) => Promise<ExitCode>,
  { typed, columns, outputError }: OperateOptions = {},
): Promise<Ended> => {
  const isTTY = typed !== undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  stdin.end(typed);
  const stdout = collector(isTTY, outputError);
  const stderr = collector(isTTY);
  const exitCode = await command({
    stdin,
    stdout: Object.assign(stdout.stream, columns === undefined ? {} : { columns }),
    stderr: stderr.stream,
  });
  appendToLogFile(stderr.text());
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
};

/** Lets other work of this process run, but does not wait. */
const immediate = (): Promise<unknown> => new Promise((settle) => void setImmediate(settle));

const resolvePublic = async (): Promise<readonly string[]> => ['93.184.215.14'];

/** Runs the operators' command line in this process. */
export const operate = (
  args: readonly string[],
  {
    now = Date.now,
    stop = new AbortController().signal,
    sleep = immediate,
    resolve = resolvePublic,
    ...options
  }: OperateOptions = {},
): Promise<Ended> => {
  const host = {
    stopSignal: () => stop,
    sleep,
    resolve,
    now,
  };
  return runInProcess((streams) => operateOn(args, { ...streams, ...host }), options);
};
