/** Removes code blocks, in which `#` and `|` have another meaning. */
const withoutCode = (markdown: string): string => markdown.replaceAll(/^```.*?^```$/gms, '');

/** The text of each section, by its heading. */
export const sectionsOf = (markdown: string): ReadonlyMap<string, string> =>
  new Map(
    withoutCode(markdown)
      .split(/^#+ /m)
      .slice(1)
      .map((section): [string, string] => {
        const [heading = '', ...lines] = section.split('\n');
        return [heading.trim(), lines.join('\n')];
      }),
  );

/** The targets of every link in a text. */
export const linksOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
