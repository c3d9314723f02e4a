import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Renders Mermaid without a browser. Not a dependency: it has 11 MB, for a script that runs when a diagram changes. */
const RENDERER = 'beautiful-mermaid@1.1.3';

const PROJECT = '.local/diagrams';

const FOLDER = 'docs/diagrams';

/** The colours of the pages (`lib/pages/stylesheet.ts`). A halo keeps labels readable on lines. */
const STYLE = `text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; paint-order: stroke; stroke: var(--bg); stroke-width: 3px; }
  svg { --bg: #fff; --fg: #151922; --muted: #566072; --line: #7a8498; --accent: #3347d6; --surface: #f8f9fc; --border: #b6bdcc; }
  @media (prefers-color-scheme: dark) { svg { --bg: #161a22; --fg: #eceff5; --muted: #a3adbd; --line: #7a869b; --accent: #8fa2ff; --surface: #1b202a; --border: #4a5365; } }`;

/** A diagram of a document. */
interface Diagram {
  readonly source: string;
  /** The path of its SVG file, by the document and the position in it. */
  readonly file: string;
}

/** The diagrams of a document of the folder `docs`. */
export const diagramsOf = (document: string): readonly Diagram[] => {
  const sources = readFileSync(document, 'utf8').matchAll(/^```mermaid\n([^]*?)^```$/gm);
  return Array.from(sources, ([, source = ''], index) => ({
    source,
    file: `${FOLDER}/${basename(document, '.md')}-${index + 1}.svg`,
  }));
};

/** The diagrams of all documents that the local stage serves. */
export const allDiagrams = (): readonly Diagram[] => globSync('docs/*.md').toSorted().flatMap(diagramsOf);

/** The comment with which the file of this source begins: a test finds a file that is out of date without the renderer. */
export const markOf = (source: string): string =>
  `<!-- ${RENDERER}, source ${createHash('sha256').update(source).digest('hex').slice(0, 16)} -->`;

type Render = (source: string, options: { readonly padding: number }) => string;

const installRenderer = async (): Promise<Render> => {
  mkdirSync(PROJECT, { recursive: true });
  execFileSync('npm', [
    'install',
    '--no-save',
    '--ignore-scripts',
    '--silent',
    '--prefix',
    PROJECT,
    RENDERER,
  ]);
  const file = join(PROJECT, 'node_modules/beautiful-mermaid/dist/index.js');
  const { renderMermaidSVG } = (await import(pathToFileURL(file).href)) as { renderMermaidSVG: Render };
  return renderMermaidSVG;
};

/** Writes the SVG file of each diagram, and removes all others. */
export const writeDiagrams = async (): Promise<void> => {
  const render = await installRenderer();
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const { source, file } of allDiagrams()) {
    // The title is for readers who cannot see the diagram. The renderer would draw it as a node.
    const svg = render(source.replace(/^ *accTitle:.*\n/m, ''), { padding: 8 })
      .replace(/ style="[^"]*"/, '')
      .replace(/@import.*\n/, '')
      .replace(/text \{.*\}/, STYLE);
    writeFileSync(file, `${markOf(source)}\n${svg}\n`);
  }
};
