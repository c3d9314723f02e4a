import { createLogFolder, endLogFolder } from '../../support/log-files.ts';
import { useTemporaryFolder } from '../../support/temporary-folder.ts';

/** Looks for secrets in the stages' logs after the run. */
export default (): (() => void) => {
  useTemporaryFolder();
  createLogFolder();
  return endLogFolder;
};
