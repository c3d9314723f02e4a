/** A cell with text as code, such as a name. */
export const code = (text: string): string => `\`${text}\``;

export const bold = (text: string): string => `**${text}**`;

/** Several texts as code, with commas between them. */
export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/** A sentence without its full stop, for a cell of a table. */
export const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** A block of shell commands, one in each line. */
export const shell = (...commands: readonly string[]): string => `\`\`\`sh\n${commands.join('\n')}\n\`\`\``;

/** A block of JSON. */
export const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** A table as the formatter writes it. The first row has the headings. */
export const table = (rows: readonly (readonly string[])[]): string => {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll('|', String.raw`\|`)));
  const widths = (escaped[0] ?? []).map((_, column) =>
    Math.max(3, ...escaped.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [headings, ...others] = escaped.map(line);
  return [headings, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n');
};

/** A table whose rows of sums, called `Total`, are in bold. */
export const tableWithTotal = (rows: readonly (readonly string[])[]): string =>
  table(rows.map((row) => (row[0] === 'Total' ? row.map((cell) => cell && bold(cell)) : row)));

/**
 * Replaces each block between the lines `generated: NAME` and `/generated`. Both are comments in the language of the document.
 *
 * @throws Error if the text has another set of blocks
 */
export const withBlocks = (document: string, blocks: Readonly<Record<string, string>>): string => {
  const found: string[] = [];
  const text = document.replaceAll(
    /(^.* generated: (\w+)( -->)?$)[^]*?(^.* \/generated(?: -->)?$)/gm,
    (_, start: string, name: string, isMarkdown: string | undefined, end: string) => {
      found.push(name);
      const gap = isMarkdown ? '\n\n' : '\n';
      return [start, blocks[name], end].join(gap);
    },
  );
  const [are, should] = [found.toSorted().join(), Object.keys(blocks).toSorted().join()];
  if (are !== should) throw new Error(`The document has the blocks ${are}, not ${should}`);
  return text;
};
