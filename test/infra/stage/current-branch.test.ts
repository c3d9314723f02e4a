import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { currentBranch } from '../../../infra/stage/current-branch.ts';

/** Runs git in a folder. */
const git = (folder: string, ...args: readonly string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args]);

/** Makes a git repository on a branch with a commit. */
const givenRepository = (branch: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cart-checkout-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  git(folder, 'init', '--quiet', '--initial-branch', branch);
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'x');
  return folder;
};

test('a stage is named after the checked-out branch, whatever tag or branch has a name like it', () => {
  const folder = givenRepository('feature/of-mine');
  expect(currentBranch(folder)).toBe('feature/of-mine');
  git(folder, 'tag', 'feature/of-mine');
  git(folder, 'branch', 'heads/feature/of-mine', 'HEAD');
  expect(currentBranch(folder)).toBe('feature/of-mine');
  git(folder, 'checkout', '--quiet', 'heads/feature/of-mine', '--');
  expect(currentBranch(folder)).toBe('heads/feature/of-mine');
});

test('a stage is named after the branch of this code, not of a repository in the environment', () => {
  const folder = givenRepository('mine');
  vi.stubEnv('GIT_DIR', join(givenRepository('other'), '.git'));
  expect(currentBranch(folder)).toBe('mine');
});

test('without a branch, or if git fails, the reason is in one sentence', () => {
  const folder = givenRepository('main');
  git(folder, 'checkout', '--quiet', '--detach');
  expect(() => currentBranch(folder)).toThrow(
    'No git branch is checked out. Name the stage with -c stage=...',
  );
  rmSync(join(folder, '.git'), { recursive: true });
  expect(() => currentBranch(folder)).toThrow(/^git says: fatal: not a git repository.*stage=\.\.\.$/);
  vi.stubEnv('PATH', folder);
  expect(() => currentBranch(folder)).toThrow(/^git cannot be run: spawnSync git ENOENT\. Name/);
});
