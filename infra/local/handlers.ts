import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../operator-error.ts';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../../functions');

/**
 * Loads the handlers of functions, by name. As on Lambda, a function's module reads the environment once, on import.
 *
 * @param functionNames the functions' folders in `functions/`
 * @throws OperatorError if a folder has no handler
 */
export const loadHandlers = async (
  functionNames: Iterable<string>,
  folder = FUNCTIONS_FOLDER,
): Promise<Readonly<Record<string, unknown>>> => {
  const handlers: Record<string, unknown> = {};
  for (const name of functionNames) {
    const file = join(folder, name, 'handler.ts');
    const module = existsSync(file)
      ? ((await import(pathToFileURL(file).href)) as { handler?: unknown })
      : {};
    if (typeof module.handler !== 'function') {
      throw new OperatorError(
        `functions/${name}/handler.ts must export a function named handler: functions/operations.ts names it.`,
      );
    }
    handlers[name] = module.handler;
  }
  return handlers;
};
