import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

const FRAMES_MAX = 8;

/** What Node.js writes of a frame: `at name (file:line:column)`. */
const POSITION = /(\/[^():]+):(\d+):(\d+)/;

type SourceMapPayload = ConstructorParameters<typeof SourceMap>[0];

const sourceMaps = new Map<string, SourceMap | undefined>();

/**
 * The source map that lies beside a bundle, read when a failure is to be told: Node.js's own `--enable-source-maps` would
 * read it at every cold start, which takes some 4 ms.
 */
const sourceMapOf = (file: string): SourceMap | undefined => {
  if (!sourceMaps.has(file)) {
    const mapFile = `${file}.map`;
    const payload = existsSync(mapFile) ? readFileSync(mapFile, 'utf8') : undefined;
    sourceMaps.set(
      file,
      payload === undefined ? undefined : new SourceMap(JSON.parse(payload) as SourceMapPayload),
    );
  }
  return sourceMaps.get(file);
};

/** A frame in the terms of the source, if it is of a bundle. */
const originalFrame = (frame: string): string =>
  frame.replace(POSITION, (position, file: string, line: string, column: string) => {
    const entry = sourceMapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return position;
    const source = entry.originalSource.replace(/^.*?((?:functions|lib|node_modules)\/)/, '$1');
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });

/** Where an error arose. Only what follows the message, whose lines may look like frames; none if that is not sure. */
export const stackFrames = ({ stack = '', message }: Error): string[] => {
  const messageStart = stack.indexOf(message);
  if (messageStart === -1) return [];
  const lines = stack.slice(messageStart + message.length).split('\n');
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES_MAX)
    .map((frame) => originalFrame(frame.trim()));
};
