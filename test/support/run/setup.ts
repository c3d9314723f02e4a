import { afterAll, vi } from 'vitest';
import { appendToLogFile } from '../logs/log-files.ts';
import { shareCompiledModules } from './compile-cache.ts';
import { endFile } from './file-end.ts';
import { TEST_ENVIRONMENT } from './test-environment.ts';

// Files of one worker share its process, and a local stage or an operator's command in it hides the variables of AWS.
Object.assign(process.env, TEST_ENVIRONMENT);
// Here, not in the global setup: the workers themselves would spend more on such a cache than it saves them.
shareCompiledModules();

// The logger writes to the process's streams. Tests collect its lines in files, and the end of the run searches them for
// secrets.
const collect: typeof process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
  appendToLogFile(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
  const done = rest.at(-1);
  if (typeof done === 'function') (done as () => void)();
  return true;
};
process.stdout.write = collect;
process.stderr.write = collect;

// Vitest itself undoes stubs before a test: those of a file's last test would reach what the next file does before its first.
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await endFile();
});
