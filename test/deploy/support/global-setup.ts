export { useTemporaryFolder as setup } from '../../support/run/temporary-folder.ts';
