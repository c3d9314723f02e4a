import { shareCompiledModules } from '../run/compile-cache.ts';
import { useTemporaryFolder } from '../run/temporary-folder.ts';

export const setup = (): void => {
  useTemporaryFolder();
  shareCompiledModules();
};
