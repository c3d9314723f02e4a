import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/**
 * Lets `python3` start Python at once. A version manager's `python3` is often a script, which starts thirty processes for each
 * call. Without Python, nothing changes.
 */
export const startPythonDirectly = (): void => {
  let python: string;
  try {
    python = execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  } catch {
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'bin-'));
  writeFileSync(join(folder, 'python3'), `#!/bin/sh\nexec '${python.trim()}' "$@"\n`, { mode: 0o755 });
  process.env['PATH'] = [folder, process.env['PATH']].join(delimiter);
};
