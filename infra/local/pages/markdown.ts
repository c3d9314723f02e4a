import { posix } from 'node:path';
import { slug } from 'github-slugger';
import { Marked, type Token, type Tokens } from 'marked';
import { markup, trusted, type Markup } from '../../../lib/pages/markup.ts';
import { codeBlock } from './code.ts';

/** @param folder the document's, within the folder of the documents */
const createMarked = (folder: string): Marked =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        // The page has its own first heading, with the document's title.
        if (depth === 1) return '';
        return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        // The stage serves the folder of the documents alone.
        return posix.join(folder, href).startsWith('../')
          ? text
          : markup`<a href="${href}">${trusted(text)}</a>`.toString();
      },
      // Comments such as those of the formatter.
      html: () => '',
    },
  });

/** Renders a part of a document. A wide table or program scrolls by itself, also by the keyboard. */
const renderPart = (marked: Marked, token: Token, index: number): string => {
  if (token.type === 'code') {
    const { text, lang } = token as Tokens.Code;
    // GitHub draws the diagrams, this page cannot.
    return lang === 'mermaid' ? '' : codeBlock(`code-${index}`, `code block ${index}`, text).toString();
  }
  const html = marked.parser([token]);
  return token.type === 'table'
    ? `<div class="scroll" role="region" aria-label="Table ${index}" tabindex="0">${html}</div>`
    : html.replaceAll('<pre>', '<pre tabindex="0">');
};

/** A document of this repository. */
export interface Document {
  readonly title: string;
  /** The headings of the second level. */
  readonly headings: readonly { readonly text: string; readonly anchor: string }[];
  readonly content: Markup;
}

/**
 * Renders a document of this repository. Never pass Markdown from outside: its HTML is not sanitised.
 *
 * @param path of the document's file in the folder of the documents
 */
export const renderMarkdown = (markdown: string, path: string): Document => {
  const marked = createMarked(posix.dirname(path));
  const tokens = marked.lexer(markdown);
  const headings = tokens.filter((token) => token.type === 'heading') as Tokens.Heading[];
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? '',
    headings: headings.filter(({ depth }) => depth === 2).map(({ text }) => ({ text, anchor: slug(text) })),
    content: trusted(tokens.map((token, index) => renderPart(marked, token, index)).join('')),
  };
};
