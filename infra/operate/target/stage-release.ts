import { parseJson } from '../../../lib/core/parse-json.ts';
import { currentCommit, type Release, UNKNOWN } from '../../stage/release.ts';
import { outputOf, type Stage } from './stage.ts';

/** @throws OperatorError if the stage comes from a release without this output */
export const releaseOf = (stage: Pick<Stage, 'name' | 'outputs'>): Release =>
  JSON.parse(outputOf(stage, 'Release')) as Release;

/** The warning if the commands are of another commit than the stage, and may misread its items. */
export const otherRelease = ({ name, outputs }: Pick<Stage, 'name' | 'outputs'>): string | undefined => {
  // A deployment that wrote no JSON must not stop the revocation of a key.
  const deployed = (parseJson(outputs['Release'] ?? '') as Partial<Release> | null | undefined)?.commit;
  if (typeof deployed !== 'string' || deployed === UNKNOWN) return undefined;
  const commit = currentCommit();
  if (commit === undefined || deployed.replace(/-dirty$/, '') === commit) return undefined;
  return `Warning: the stage ${name} runs the commit ${deployed}, and these commands are of ${commit}. Use those of the same commit.`;
};
