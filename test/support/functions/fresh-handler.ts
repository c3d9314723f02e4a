import type { FunctionName } from '../../../functions/function-needs.ts';

/** How many times each function was loaded anew. */
const counts = new Map<string, number>();

/**
 * Loads the module of a function anew, which reads the environment again: another test file may have loaded it with other tables.
 * The modules that it imports are shared, since they keep no state and read no environment on import.
 */
export const loadAnew = async <Module = { readonly handler: unknown }>(
  name: FunctionName,
): Promise<Module> => {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  // Mutation testing loads modules by Vite, which knows no such file.
  return (await import(/* @vite-ignore */ `../../../functions/${name}/handler.ts?load=${count}`)) as Module;
};
