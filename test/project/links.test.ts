import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { slug } from 'github-slugger';
import { describe, expect, test } from 'vitest';
import { linksOf, sectionsOf } from '../support/documents/markdown.ts';

const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'clients/*/*.md']);
const SOURCES = globSync([
  '{clients,functions,infra,lib,test,docs}/**/*.{ts,mjs,py,php}',
  '.github/**/*.yml',
  '*.ts',
]).filter((path) => !path.includes('node_modules'));

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

const headings = new Map<string, readonly string[]>();
const headingsOf = (document: string): readonly string[] => {
  const known = headings.get(document) ?? [...sectionsOf(readFileSync(document, 'utf8')).keys()];
  headings.set(document, known);
  return known;
};

/** The relative links whose file or heading does not exist. */
const brokenLinks = (path: string, markdown: string): string[] =>
  linksOf(markdown)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const document = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(document)) return true;
      return (
        anchor !== undefined &&
        !headingsOf(document)
          .map((heading) => slug(heading))
          .includes(anchor)
      );
    });

/** The citations of a page or section that does not exist. A citation may contain line breaks. */
const brokenCitations = (text: string): string[] =>
  [
    ...text
      .replaceAll(/\s*\n\s*(?:\*|\/\/|#)?\s*/g, ' ')
      .matchAll(/\b(docs\/[\w-]+\.md)\b`?(?:,? (?:section )?"([^"]+)")?/g),
  ]
    .filter(([, document = '', section]) => {
      if (!existsSync(document)) return true;
      return section !== undefined && !headingsOf(document).includes(section);
    })
    .map(([citation]) => citation);

/** The files of this repository that a document names in backticks, and that do not exist. */
const missingFiles = (markdown: string): string[] =>
  [...markdown.matchAll(/`((?:clients|functions|lib|infra|test|docs|\.github)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !existsSync(path));

const missingScripts = (markdown: string): string[] =>
  [...markdown.matchAll(/npm run (?:-\S+ )*([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !(name in scripts));

describe.each(DOCUMENTS)('%s', (path) => {
  const markdown = readFileSync(path, 'utf8');

  test('links to files and headings that exist', () => {
    expect(brokenLinks(path, markdown)).toStrictEqual([]);
  });

  test('names files and npm scripts that exist', () => {
    expect([...missingFiles(markdown), ...missingScripts(markdown)]).toStrictEqual([]);
  });
});

test('every citation of a document in the code names a file and a heading that exist', () => {
  const broken = SOURCES.flatMap((path) =>
    brokenCitations(readFileSync(path, 'utf8')).map((citation) => `${path}: ${citation}`),
  );
  expect(broken).toStrictEqual([]);
});

test('a wrong link, citation, file or script is found', () => {
  // Put together here, so that the test above does not find them in this file.
  const [gone, contract] = ['gone', 'contract'].map((name) => `docs/${name}.md`);
  const cite = (section: string): string => `/**\n * See \`${contract}\`,\n * "${section}".\n */`;
  expect(brokenLinks('README.md', `[a](${gone}) [b](${contract}#gone) [c](${contract}#errors)`)).toHaveLength(
    2,
  );
  expect(brokenCitations(`${cite('Gone')} ${cite('Errors')} ${gone}`)).toHaveLength(2);
  expect([...missingFiles('`lib/gone.ts` `lib/http`'), ...missingScripts('npm run -s gone')]).toHaveLength(2);
});
