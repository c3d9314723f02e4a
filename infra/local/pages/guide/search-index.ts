import { slug } from 'github-slugger';
import { Marked, type Tokens } from 'marked';
import { GROUPS, guideAddress, type ReadDocument } from './contents.ts';

/** A section of a document, as the page's script searches it. */
type SearchEntry = readonly [address: string, document: string, heading: string, text: string];

/** The text of Markdown: without links, marks and comments. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/<!--.*?-->/gs, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/^```\w*$|\||-{3,}/gm, ' ')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const sectionsOf = (name: string, markdown: string): readonly SearchEntry[] => {
  const sections: { anchor: string; heading: string; text: string }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    const { depth, text: heading } = token as Tokens.Heading;
    if (token.type === 'heading' && depth < 4)
      sections.push({
        anchor: depth === 1 ? '' : `#${slug(heading)}`,
        heading: plainText(heading),
        text: '',
      });
    else {
      const section = sections.at(-1);
      if (section) section.text += `${token.raw} `;
    }
  }
  const document = sections[0]?.heading ?? '';
  return sections.map(({ anchor, heading, text }) => [
    guideAddress(name) + anchor,
    document,
    heading,
    plainText(text),
  ]);
};

/** The sections of all documents, those for merchants first. */
export const searchIndex = (read: ReadDocument): readonly SearchEntry[] =>
  Object.values<readonly string[]>(GROUPS)
    .flat()
    .flatMap((name) => sectionsOf(name, read(`${name}.md`)));
