import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allDiagrams, diagramsOf, markOf } from '../../../infra/docs/diagrams.ts';

const DIAGRAMS = allDiagrams();

test.each(DIAGRAMS)('$file is made from its source, and loads nothing', ({ file, source }) => {
  const svg = readFileSync(file, 'utf8');
  expect(svg.split('\n', 1), 'run npm run docs -- --diagrams').toStrictEqual([markOf(source)]);
  expect(source).toMatch(/^ {2}accTitle: /m);
  // A policy without inline styles blocks style attributes.
  expect(svg).not.toMatch(/ style="|@import|url\((?!#)|<script/);
  expect(svg).toContain('prefers-color-scheme: dark');
});

test('each diagram of a document has a file, and no file is left over', () => {
  expect(diagramsOf('docs/integrate.md')).toHaveLength(1);
  expect(globSync('docs/diagrams/*').toSorted()).toStrictEqual(DIAGRAMS.map(({ file }) => file).toSorted());
});
