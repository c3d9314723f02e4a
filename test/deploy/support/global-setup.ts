import { shareCompiledModules } from '../../support/run/compile-cache.ts';
import { useTemporaryFolder } from '../../support/run/temporary-folder.ts';

export const setup = (): void => {
  useTemporaryFolder();
  shareCompiledModules();
};
