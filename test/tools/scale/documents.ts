import { readFileSync } from 'node:fs';
import { costBlocks, type Templates } from './cost-blocks.ts';
import { idleCosts, idleTotal } from './idle-costs.ts';
import { scaleBlocks } from './tables.ts';

/**
 * Replaces each block between `<!-- generated: NAME -->` and `<!-- /generated -->`.
 *
 * @throws Error if the text has another set of blocks
 */
export const withBlocks = (markdown: string, blocks: Readonly<Record<string, string>>): string => {
  const found: string[] = [];
  const text = markdown.replaceAll(
    /(<!-- generated: (\w+) -->\n)[^]*?(<!-- \/generated -->)/g,
    (_, start: string, name: string, end: string) => {
      found.push(name);
      return `${start}\n${blocks[name]}\n\n${end}`;
    },
  );
  const [are, should] = [found.toSorted().join(), Object.keys(blocks).toSorted().join()];
  if (are !== should) throw new Error(`The document has the blocks ${are}, not ${should}`);
  return text;
};

/** The documents with generated blocks, by path: as they are, and as they should be. */
export const documentsOf = (templates: Templates) => {
  const blocks = {
    'docs/cost.md': costBlocks(templates),
    'docs/scale.md': scaleBlocks(idleTotal(idleCosts(templates.production))),
  };
  return Object.entries(blocks).map(([path, ofDocument]) => {
    const text = readFileSync(path, 'utf8');
    return { path, text, blocks: ofDocument, generated: withBlocks(text, ofDocument) };
  });
};
