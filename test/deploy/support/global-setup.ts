export { useTemporaryFolder as setup } from '../../support/temporary-folder.ts';
