import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const FRAMES_MAX = 8;

/** The position in a frame of Node.js: `at name (file:line:column)`. */
const POSITION = /(\/[^():]+):(\d+):(\d+)/;

type SourceMapPayload = ConstructorParameters<typeof SourceMap>[0];

const sourceMaps = new Map<string, SourceMap | undefined>();

/**
 * The source map beside a bundle, read only when a failure is logged. Node's `--enable-source-maps` would read it at
 * every cold start, which takes about 4 ms.
 */
const sourceMapOf = (file: string): SourceMap | undefined => {
  if (!sourceMaps.has(file)) {
    const mapFile = `${file}.map`;
    const map = existsSync(mapFile)
      ? new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')) as SourceMapPayload)
      : undefined;
    sourceMaps.set(file, map);
  }
  return sourceMaps.get(file);
};

/** A frame with its position in the source, if its file has a source map. */
const originalFrame = (frame: string): string =>
  frame.replace(POSITION, (position, file: string, line: string, column: string) => {
    const entry = sourceMapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return position;
    const source = entry.originalSource.replace(/.*?((?:functions|lib|node_modules)\/)/, '$1');
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });

/** The stack frames of an error, without its message. Empty if the message cannot be located in the stack. */
export const stackFrames = ({ stack = '', message }: Error): string[] => {
  const messageStart = stack.indexOf(message);
  if (messageStart === -1) return [];
  const lines = stack.slice(messageStart + message.length).split('\n');
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES_MAX)
    .map((frame) => originalFrame(frame.trim()));
};

/**
 * The part of a failure that may be logged: its name, code and stack frames. Its message may quote the request: a JSON
 * parser quotes the text, and DynamoDB the item.
 */
export const describeFailure = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    frames: stackFrames(error),
  };
};
