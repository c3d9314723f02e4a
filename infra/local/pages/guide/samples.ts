import { type Markup } from '../../../../lib/pages/markup.ts';
import { codeTabs, type Language } from '../parts/code.ts';
import type { ReadDocument } from './contents.ts';

/** The programs with the samples of the guide. Tests run all of them. */
const PROGRAMS: Readonly<Record<Exclude<Language, 'curl'>, readonly string[]>> = {
  node: ['examples/node/calls.mjs', 'examples/node/webhooks.mjs'],
  python: ['examples/python/calls.py', 'examples/python/webhooks.py'],
  php: ['examples/php/calls.php', 'examples/php/webhooks.php'],
};

/** The lines between `#region NAME` and `#endregion`, without their common indentation. */
const regionOf = (name: string, program: string): string | undefined => {
  const pattern = new RegExp(
    String.raw`^ *(?:\/\/ #|# )region ${name}\n(.*?)^ *(?:\/\/ #|# )endregion$`,
    'ms',
  );
  const [, lines] = pattern.exec(program) ?? [];
  const indentation = /^ */.exec(lines ?? '')?.[0] ?? '';
  return lines?.replaceAll(new RegExp(`^${indentation}`, 'gm'), '').trimEnd();
};

/**
 * The tabs of a sample in each language.
 *
 * @param name of its region in the programs
 * @param curl the command that does the same, if there is one
 * @throws Error if a language has no such region
 */
export const sampleTabs = (name: string, curl: string | undefined, read: ReadDocument): Markup => {
  const samples = Object.entries(PROGRAMS).map(([language, paths]) => {
    const text = paths.map((path) => regionOf(name, read(path))).find((region) => region !== undefined);
    if (text === undefined) throw new Error(`No program for ${language} has the region ${name}`);
    return [language, text] as const;
  });
  return codeTabs(`sample-${name}`, `the sample "${name}"`, {
    ...(curl === undefined ? {} : { curl }),
    ...Object.fromEntries(samples),
  });
};
