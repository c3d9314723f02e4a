import { CartCheckoutApp } from './stack/cart-checkout-app.ts';
import { currentBranch } from './stage/current-branch.ts';
import { currentRelease } from './stage/release.ts';
import { readStageFile } from './stage/stage-file.ts';
import { OperatorError } from './terminal/operator-error.ts';

try {
  new CartCheckoutApp({ branch: () => currentBranch(), release: currentRelease, stageFile: readStageFile });
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
