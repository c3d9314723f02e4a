import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const COMPILER = 'node_modules/typescript/bin/tsc';

/** The declarations of the client for Node.js. A program that imports the client needs them, unless it allows JavaScript. */
export const DECLARATIONS = 'clients/node/cart-checkout.d.mts';

const OPTIONS =
  '--ignoreConfig --skipLibCheck --allowJs --checkJs --strict --exactOptionalPropertyTypes --declaration ' +
  '--emitDeclarationOnly --target es2023 --lib es2024,dom --module nodenext --types node';

/**
 * Makes the declarations from the types in the comments of the client.
 *
 * @throws Error with the output of the compiler if the types of the client are wrong
 */
export const generateDeclarations = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    const args = [COMPILER, ...OPTIONS.split(' '), '--outDir', folder, 'clients/node/cart-checkout.mjs'];
    await promisify(execFile)(process.execPath, args);
    return `// SPDX-License-Identifier: MIT-0\n${readFileSync(join(folder, 'cart-checkout.d.mts'), 'utf8')}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
