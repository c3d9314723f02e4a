import { posix } from 'node:path';
import { slug } from 'github-slugger';
import { Marked, type Token, type Tokens } from 'marked';
import { markup, trusted, type Markup } from '../../../../lib/pages/markup.ts';
import { codeBlock } from '../parts/code.ts';
import { type ReadDocument, type Section, titleIn } from './contents.ts';
import { sampleTabs } from './samples.ts';

/** The longest code that fits into the narrowest window, so it never breaks. */
const UNBROKEN_MAX = 28;

/** A name or code. It breaks at spaces and after slashes alone, and a short one never. */
const token = (text: string): string => {
  if (text.length <= UNBROKEN_MAX) return markup`<code class="token">${text}</code>`.toString();
  const parts = text.split(/(?<=\/)/).map((part, index) => markup`${index > 0 && markup`<wbr>`}${part}`);
  return markup`<code>${parts}</code>`.toString();
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
      // On a phone, each row is a card, whose cells repeat the columns' names. The roles stay when the style changes.
      table({ header, rows }) {
        const inline = (cell: Tokens.TableCell) => trusted(this.parser.parseInline(cell.tokens));
        const plain = (cell: Tokens.TableCell) => cell.text.replaceAll('`', '');
        const headings = header.map(
          (cell) => markup`<th role="columnheader" scope="col">${inline(cell)}</th>`,
        );
        const lines = rows.map((row) => {
          const cells = row.map((cell, index) => {
            const label = header[index] && plain(header[index]);
            return markup`<td role="cell" data-label="${label}">${cell.text !== '' && markup`<div>${inline(cell)}</div>`}</td>`;
          });
          return markup`<tr role="row">${cells}</tr>\n`;
        });
        return markup`<table role="table"><thead role="rowgroup"><tr role="row">${headings}</tr></thead>
<tbody role="rowgroup">${lines}</tbody></table>`.toString();
      },
      // Comments such as those of the formatter.
      html: () => '',
    },
  });

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

/** Renders the parts of a document in their order. A wide table or program scrolls by itself, also by the keyboard. */
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
      const html = marked.parser([part]);
      return part.type === 'table'
        ? `<div class="scroll" role="region" aria-label="Table ${index}" tabindex="0">${html}</div>\n`
        : html.replaceAll('<pre>', '<pre tabindex="0">');
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
