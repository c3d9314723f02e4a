import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** A line of `deploy.sh` that changes the synthesised stack for the emulator. */
const FOR_EMULATOR = `node ${resolve('test/support/deploy/emulated-stack.ts')} CartCheckout-prod`;

const DEPLOY = '.github/actions/keep-values/deploy.sh';

/** A repository of a platform team, with the files of this checkout and an `origin`. */
interface TeamRepository {
  readonly folder: string;
  /** Writes files, commits them on `main`, and pushes. Returns the commit. */
  commit(files: Readonly<Record<string, string>>): string;
  /** Changes a file, as an argument of `commit`. It must have the text. */
  replaced(file: string, text: string, by: string): Record<string, string>;
}

/** Makes the repository in a folder beside which a roll-back has its own. */
export const givenTeamRepository = (): TeamRepository => {
  const parent = mkdtempSync(join(tmpdir(), 'cart-checkout-team-'));
  const [origin, folder] = [join(parent, 'origin'), join(parent, 'cart-checkout')];
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...author, ...args], { cwd: folder, encoding: 'utf8' }).trim();
  mkdirSync(folder);
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const file of files.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch', 'main', origin]);
  git('init', '--quiet', '--initial-branch', 'main');
  git('remote', 'add', 'origin', origin);

  const replaced = (file: string, text: string, by: string): Record<string, string> => {
    const before = readFileSync(join(folder, file), 'utf8');
    if (!before.includes(text)) throw new Error(`${file} has no ${text}`);
    return { [file]: before.replace(text, by) };
  };
  const commit = (changed: Readonly<Record<string, string>>): string => {
    for (const [file, text] of Object.entries(changed)) writeFileSync(join(folder, file), text);
    git('add', '--all');
    git('commit', '--quiet', '--message', Object.keys(changed).join(', '));
    git('push', '--quiet', 'origin', 'main');
    return git('rev-parse', 'HEAD');
  };
  commit(replaced(DEPLOY, '\nexec cdk', `\n${FOR_EMULATOR}\nexec cdk`));
  return { folder, commit, replaced };
};
