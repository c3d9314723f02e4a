import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { jobsOf } from '../support/workflow-files.ts';

const steps = jobsOf('.github/workflows/synth.yml')[0]?.steps ?? [];
const [checkout, block] = steps;

const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];

let repository: string;
/** A copy of the repository for each test: the checkout of the job. */
let folder: string;

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', repository, ...AUTHOR, ...args], { encoding: 'utf8' }).trim();

/** Commits files of the repository. Returns the commit. */
const commit = (files: Readonly<Record<string, string>>): string => {
  mkdirSync(join(repository, 'stages'), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
  return git('rev-parse', 'HEAD');
};

let beforeStages: string;
let earlier: string;
let latest: string;
let unmerged: string;

beforeAll(() => {
  repository = mkdtempSync(join(tmpdir(), 'cart-checkout-repository-'));
  git('init', '--quiet', '--initial-branch', 'main');
  beforeStages = commit({ code: 'oldest' });
  earlier = commit({ code: 'earlier', 'stages/prod.json': 'of then', 'stages/gone.json': 'of then' });
  rmSync(join(repository, 'stages/gone.json'));
  latest = commit({ code: 'latest', 'stages/prod.json': 'of today' });
  git('switch', '--quiet', '--create', 'unmerged');
  unmerged = commit({ code: 'unmerged' });
  git('switch', '--quiet', 'main');
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cart-checkout-checkout-'));
  cpSync(repository, folder, { recursive: true });
});

/** Runs the block as GitHub does, in a checkout of the branch `main`. */
const takeCommit = (COMMIT: string) => {
  const file = join(mkdtempSync(join(tmpdir(), 'cart-checkout-block-')), 'block.sh');
  writeFileSync(file, block?.run ?? '');
  const env = { COMMIT, GITHUB_SHA: latest, PATH: process.env['PATH'] };
  const { status, stdout } = spawnSync('bash', ['--noprofile', '--norc', '-e', file], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, code: readFileSync(join(folder, 'code'), 'utf8') };
};

test('the checkout has all commits of the branch if the run names one', () => {
  expect(checkout?.with?.['fetch-depth']).toBe("${{ inputs.commit && '0' || '1' }}");
  expect(block?.if).toBe("inputs.commit != ''");
});

test.each([
  ['an earlier commit', () => earlier, 'earlier'],
  ['a commit before the values of stages', () => beforeStages, 'oldest'],
  ['the latest commit', () => latest, 'latest'],
])("%s brings its code, with today's values of the stage", (_what, sha, code) => {
  expect(takeCommit(sha())).toStrictEqual({ status: 0, stdout: '', code });
  expect(readFileSync(join(folder, 'stages/prod.json'), 'utf8')).toBe('of today');
  expect(existsSync(join(folder, 'stages/gone.json'))).toBe(false);
});

test.each([
  ['a commit that is not merged', () => unmerged, 'The commit is not one of this branch.'],
  ['an unknown commit', () => '1'.repeat(40), 'The commit is not one of this branch.'],
  ['a part of a commit', () => earlier.slice(0, 12), 'The commit must have all of its 40 digits.'],
  ['the name of a branch', () => 'unmerged', 'The commit must have all of its 40 digits.'],
  ['an option of git', () => '--all', 'The commit must have all of its 40 digits.'],
])('%s is rejected', (_what, sha, sentence) => {
  expect(takeCommit(sha())).toStrictEqual({ status: 1, stdout: `::error::${sentence}\n`, code: 'latest' });
});
