import { spawnSync } from 'node:child_process';
import { ROOT } from '../core/project.ts';

/** Git variables that point to another repository. Within a hook, git sets some of them. */
const OTHER_REPOSITORY = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_INDEX_FILE', 'GIT_NAMESPACE'];

/** The result of a git command. `reason` is a sentence for people, and empty if git gives none. */
type GitResult =
  | { readonly ok: true; readonly output: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Runs git in the repository of this code, whatever the environment selects.
 *
 * @param folder a folder of another repository, for tests
 */
export const runGit = (args: readonly string[], folder = ROOT): GitResult => {
  const env = { ...process.env, LC_ALL: 'C' };
  for (const name of OTHER_REPOSITORY) Reflect.deleteProperty(env, name);
  const options = { encoding: 'utf8', env, maxBuffer: Infinity } as const;
  const { error, status, stdout, stderr } = spawnSync('git', ['-C', folder, ...args], options);
  if (error) return { ok: false, reason: `git cannot be run: ${error.message}.` };
  if (status === 0) return { ok: true, output: stdout.trim() };
  const [line = ''] = stderr.split('\n');
  return { ok: false, reason: line && `git says: ${line}.` };
};
