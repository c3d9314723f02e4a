import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../../infra/local/gateway/response.ts';
import { guidePages } from '../../../../infra/local/pages/guide-pages.ts';
import { renderMarkdown } from '../../../../infra/local/pages/markdown.ts';
import { anchorOf, linksOf, sectionsOf } from '../../../frame/markdown.ts';

const guidePage = guidePages('http://127.0.0.1:3000');

const bodyAt = async (path: string): Promise<string | undefined> => {
  const page = guidePage(path);
  return typeof page === 'function' ? String((await page()).body) : undefined;
};

const DOCUMENTS = globSync('docs/{,clients/}*.md').map((path) => path.replace('docs/', '/guide/'));

test.each(DOCUMENTS)('%s has every section, and its links lead to pages of the stage', async (path) => {
  const markdown = readFileSync(path.replace('/guide/', 'docs/'), 'utf8');
  const html = await bodyAt(path);

  const [title = '', ...headings] = sectionsOf(markdown).keys();
  expect(html).toContain('<h1>');
  expect(html).not.toContain('<!-- ');
  for (const heading of headings) expect(html).toContain(`id="${anchorOf(heading)}"`);
  expect(html).toContain(`<title>${title} – Cart Checkout</title>`);

  const targets = linksOf(markdown).filter((target) => !/^(?:https?:|#)/.test(target));
  const pathOf = (target: string) => new URL(target, `file://${path}`).pathname;
  const [outside, inside] = [true, false].map((isOutside) =>
    targets.filter((target) => !pathOf(target).startsWith('/guide/') === isOutside),
  ) as [string[], string[]];
  for (const target of outside) expect(html).not.toContain(`href="${target}"`);
  for (const target of inside) {
    expect(html).toContain(`href="${target}"`);
    expect(guidePage(pathOf(target)), target).toBeDefined();
  }
});

test('the navigation names a document of the guide, and marks it', async () => {
  const html = await bodyAt('/guide/contract.md');
  const [, address = ''] = /href="(\/guide\/[^"]+)" aria-current="page"/.exec(String(html)) ?? [];
  expect(guidePage(address)).toBeDefined();
});

test.each(['/guide', '/guide/'])('%s leads to the first document', async (path) => {
  const page = guidePage(path) as () => Promise<ApiResponse>;
  expect(await page()).toMatchObject({ status: 302, headers: [['Location', '/guide/integrate.md']] });
});

test('a program of the guide is text', async () => {
  expect(await bodyAt('/guide/examples/node/checkout.mjs')).toBe(
    readFileSync('docs/examples/node/checkout.mjs', 'utf8'),
  );
});

test.each([
  '/guide/gone.md',
  '/guide/examples',
  '/guide/.oxlintrc.json',
  '/guide/../package.json',
  '/guide/%2e%2e/package.json',
  '/guide/./integrate.md',
  '/integrate.md',
])('the guide has no page %s', (path) => {
  expect(guidePage(path)).toBeUndefined();
});

test('code and text stay text, and a table is reachable by the keyboard', () => {
  const { title, headings, content } = renderMarkdown(
    '# A & B\n\n## Use `<b>`\n\n```js\nif (a < b) x();\n```\n\n<script>x</script>\n\n| A & `b` |\n| - |\n| `<i>` |\n',
    'page.md',
  );
  const html = content.toString();
  expect([title, headings]).toStrictEqual(['A & B', [{ text: 'Use `<b>`', anchor: 'use-b' }]]);
  expect(html).toContain('if (a &lt; b) x();');
  expect(html).toContain('<code>&lt;i&gt;</code>');
  expect(html).not.toContain('<script>');
  expect(html).toMatch(/<div class="scroll" role="region" aria-label="Table \d+" tabindex="0"><table>/);
});
