/** A block of commands, and the output that the page shows for it. */
interface Block {
  readonly commands: string;
  /** Absent: the page shows none. */
  readonly output?: string;
}

/** A section of the page. */
export interface Step {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** Reads the steps of a page: its sections, with their blocks of `sh`, each with the block of `text` that follows. */
export const stepsIn = (markdown: string): readonly Step[] =>
  markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      blocks: [...section.matchAll(/^```sh\n(.*?)^```$(?:\s+^```text\n(.*?)^```$)?/gms)].map(
        ([, commands = '', output]) => (output === undefined ? { commands } : { commands, output }),
      ),
    }));

const tidy = (output: string): string =>
  output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/**
 * The pattern of an output on the page: `…` is any text, and `{name}` a text without spaces and quotes. Blank lines and the
 * ends of lines do not count.
 *
 * @param values the values of names that occurred before. These names must have the same values
 */
const patternOf = (output: string, values: ReadonlyMap<string, string>): RegExp => {
  const seen = new Set<string>();
  const source = tidy(output)
    .split(/(…|\{[a-z][A-Za-z]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return escape(part);
      if (part === '…') return '[^]*?';
      const name = part.slice(1, -1);
      const value = values.get(name);
      if (value !== undefined) return escape(value);
      if (seen.has(name)) return `\\k<${name}>`;
      seen.add(name);
      return `(?<${name}>[^\\s"']+?)`;
    });
  return new RegExp(`^${source.join('')}$`);
};

/**
 * Compares an output with the page, and adds the values of its names to `values`.
 *
 * @throws Error with both outputs if they differ
 */
export const compare = (shown: string, actual: string, values: Map<string, string>): void => {
  const match = patternOf(shown, values).exec(tidy(actual));
  if (!match) throw new Error(`The page shows:\n${shown}\nThe output is:\n${actual}`);
  for (const [name, value] of Object.entries(match.groups ?? {})) values.set(name, value);
};
