import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of this project, or of the installed package `cart-checkout`. Both have the documents at the same place. */
export const ROOT = join(import.meta.dirname, '../..');

/** Whether the installed package runs: Node.js runs no TypeScript in `node_modules`, so the package has JavaScript. */
export const IS_PACKAGE = import.meta.filename.endsWith('.js');

/** Private files of this machine's stage and tools. Those of the package belong to the user: the next version needs them too. */
export const LOCAL_FOLDER = IS_PACKAGE ? join(homedir(), '.cart-checkout') : join(ROOT, '.local');
