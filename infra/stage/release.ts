import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IS_PACKAGE, ROOT } from '../core/project.ts';
import { runGit } from './git.ts';

/** The release that a stage runs: the output `Release` of its stack. CloudFormation has the time of the deployment. */
export interface Release {
  readonly version: string;
  /** The commit, with `-dirty` behind it if the code differs from it. `unknown` without git. */
  readonly commit: string;
  /** When the commit was made, in ISO 8601 and UTC: `loss.jq` compares it as text. `unknown` without git. */
  readonly committedAt: string;
  /** The user of GitHub or of the machine who synthesised it. `unknown` if neither has a name. */
  readonly deployer: string;
}

/** In place of a commit, if there is no git. */
export const UNKNOWN = 'unknown';

/** A roll-back checks out old code but keeps today's `stages` and `.github`, so changes there do not count as dirty. */
const NO_CODE = [':!stages', ':!.github'];

/** The manifest. The package's manifest also has the commit of its build: `infra/package/build/write-package.ts`. */
const manifest = () =>
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly gitHead?: string;
  };

/** Runs git in the repository. Returns `undefined` if there is no git, no repository or no commit. */
const git = (...args: readonly string[]): string | undefined => {
  // The package may be within a repository of the user.
  if (IS_PACKAGE) return undefined;
  const result = runGit(args);
  return result.ok ? result.output : undefined;
};

/** The commit that is checked out, with all of its digits. */
export const currentCommit = (): string | undefined =>
  manifest().gitHead ?? git('rev-parse', '--verify', '--quiet', 'HEAD');

/** The release that is checked out. */
export const currentRelease = (): Release => {
  const commit = currentCommit();
  const changes = git('status', '--porcelain', '--', '.', ...NO_CODE);
  const committedAt = git('show', '--no-patch', '--format=%cI', 'HEAD');
  const { version } = manifest();
  const { GITHUB_TRIGGERING_ACTOR, USER = UNKNOWN } = process.env;
  return {
    version,
    commit: commit === undefined ? UNKNOWN : `${commit}${changes === '' || IS_PACKAGE ? '' : '-dirty'}`,
    committedAt: committedAt === undefined ? UNKNOWN : new Date(committedAt).toISOString(),
    deployer: GITHUB_TRIGGERING_ACTOR ?? USER,
  };
};
