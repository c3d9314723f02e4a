import { posix } from 'node:path';
import { slug } from 'github-slugger';
import { Marked, type Token, type Tokens } from 'marked';
import { markup, trusted, type Markup } from '../../../../lib/pages/markup.ts';
import { codeBlock } from '../parts/code.ts';
import { breakable, table, tableRow } from '../parts/elements.ts';
import { type ReadDocument, type Section, titleIn } from './contents.ts';
import { sampleTabs } from './samples.ts';

/** The longest code that fits into the narrowest window, so it never breaks. */
const UNBROKEN_MAX = 28;

/** A name or code. It breaks at spaces and after slashes alone, and a short one never. */
const token = (text: string): string => {
  if (text.length <= UNBROKEN_MAX) return markup`<code class="token">${text}</code>`.toString();
  return markup`<code>${breakable(text)}</code>`.toString();
};

/** The name of a document's file, as the documents refer to each other: `contract.md`, or `operate.md, Dead letters`. */
const FILE_NAME = /^([\w-]+)\.md(?=$|,)/;

/**
 * @param folder the document's, within the folder of the documents
 * @param read reads the documents that this one names
 */
const createMarked = (folder: string, read: ReadDocument): Marked =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        // The page has its own first heading, with the document's title.
        if (depth === 1) return '';
        const link = `<a class="anchor" href="#${slug(text)}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)} ${link}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        // The stage serves the folder of the documents alone.
        if (posix.join(folder, href).startsWith('../')) return text;
        // The readers of a page know documents by their titles.
        const named = text.replace(FILE_NAME, (file) => titleIn(read(file)));
        return markup`<a href="${href}">${trusted(named)}</a>`.toString();
      },
      codespan: ({ text }) => token(text),
      // Comments such as those of the formatter.
      html: () => '',
    },
  });

const tableOf = ({ header, rows }: Tokens.Table, index: number, { parseInline }: Marked): Markup => {
  const inline = (cell: Tokens.TableCell): Markup => trusted(parseInline(cell.text, { async: false }));
  const columns = header.map(({ text }) => text.replaceAll('`', ''));
  const lines = rows.map((row) =>
    tableRow(row.map((cell, i) => [columns[i] ?? '', cell.text && markup`<div>${inline(cell)}</div>`])),
  );
  return table(markup`aria-label="Table ${String(index)}"`, header.map(inline), lines);
};

/** The widest diagram, in pixels, that is still readable when it shrinks to the width of a phone. */
const SMALL_MAX = 480;

/** The image of a diagram, and its text for readers who cannot see it. `infra/docs/diagrams.ts` makes the file. */
const diagram = (name: string, position: number, source: string, read: ReadDocument): Markup => {
  const file = `diagrams/${name}-${position}.svg`;
  const [, width, height] = / width="([\d.]+)" height="([\d.]+)"/.exec(read(file)) ?? [];
  const [, alternative] = /accTitle: (.*)/.exec(source) ?? [];
  // Any other diagram scrolls by itself.
  return markup`<div class="diagram" role="region" aria-label="Diagram ${String(position)}" tabindex="0"><img${Number(width) <= SMALL_MAX && markup` class="small"`} src="/guide/${file}" alt="${alternative}" width="${width}" height="${height}"></div>\n`;
};

/** A document of this repository. */
export interface Document {
  readonly title: string;
  readonly headings: readonly Section[];
  readonly content: Markup;
}

/** Renders the parts of a document in their order. A wide program scrolls by itself, also by the keyboard. */
const renderParts = (tokens: readonly Token[], path: string, read: ReadDocument): string => {
  const marked = createMarked(posix.dirname(path), read);
  let diagrams = 0;
  /** The sample whose comment came last. It has tabs of its own, or replaces the command after it. */
  let sample: string | undefined;
  return tokens
    .map((part, index) => {
      if (part.type === 'space') return '';
      const name = sample;
      sample = /^<!-- sample: (\w+) -->/.exec(part.raw)?.[1];
      if (sample !== undefined) {
        const next = tokens.slice(index + 1).find(({ type }) => type !== 'space');
        return next?.type === 'code' ? '' : sampleTabs(sample, undefined, read).toString();
      }
      if (part.type === 'code') {
        const { text, lang } = part as Tokens.Code;
        if (lang === 'mermaid')
          return diagram(posix.basename(path, '.md'), ++diagrams, text, read).toString();
        if (name !== undefined) return sampleTabs(name, text, read).toString();
        return codeBlock(`code-${index}`, `code block ${index}`, text).toString();
      }
      if (part.type === 'table') return tableOf(part as Tokens.Table, index, marked).toString();
      return marked.parser([part]).replaceAll('<pre>', '<pre tabindex="0">');
    })
    .join('');
};

/**
 * Renders a document of this repository. Never pass Markdown from outside: its HTML is not sanitised.
 *
 * @param path of the document's file in the folder of the documents
 * @param read reads the programs of its samples, and its diagrams
 */
export const renderMarkdown = (markdown: string, path: string, read: ReadDocument): Document => {
  const tokens = new Marked().lexer(markdown);
  const headings = tokens.filter(({ type }) => type === 'heading') as Tokens.Heading[];
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? '',
    headings: headings.filter(({ depth }) => depth === 2).map(({ text }) => ({ text, anchor: slug(text) })),
    content: trusted(renderParts(tokens, path, read)),
  };
};
