import { join } from 'node:path';

/** Node.js finds compiled modules there by their names and content. */
const COMPILE_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/**
 * Lets the processes that this one starts share compiled modules with those of all runs, until `npm ci` removes them. Such a
 * process then starts in half the CPU.
 */
export const shareCompiledModules = (): void => {
  process.env['NODE_COMPILE_CACHE'] = COMPILE_CACHE;
};
