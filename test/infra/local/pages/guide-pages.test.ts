import { globSync, readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../../infra/local/gateway/response.ts';
import { guidePages } from '../../../../infra/local/pages/guide-pages.ts';
import { renderMarkdown } from '../../../../infra/local/pages/markdown.ts';
import { linksOf, sectionsOf } from '../../../support/repository/markdown.ts';

const guidePage = guidePages('http://127.0.0.1:3000');

const bodyAt = async (path: string): Promise<string | undefined> => {
  const page = guidePage(path);
  return typeof page === 'function' ? String((await page(new URLSearchParams())).body) : undefined;
};

const DOCUMENTS = globSync('docs/*.md').map((path) => path.replace('docs/', '/guide/'));

test.each(DOCUMENTS)('%s has every section, and its links lead to pages of the stage', async (path) => {
  const markdown = readFileSync(path.replace('/guide/', 'docs/'), 'utf8');
  const html = await bodyAt(path);

  const [title = '', ...headings] = sectionsOf(markdown).keys();
  expect(html).toContain('<h1>');
  expect(html).not.toContain('<!-- ');
  for (const heading of headings) expect(html).toContain(`id="${slug(heading)}"`);
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
  expect(await page()).toMatchObject({
    status: 302,
    headers: [['Location', '/guide/integrate.md']],
  });
});

test('a program of the guide is text', async () => {
  expect(await bodyAt('/guide/examples/node/checkout.mjs')).toBe(
    readFileSync('docs/examples/node/checkout.mjs', 'utf8'),
  );
});

test('the index for programs leads to each document as Markdown, with the address of the stage', async () => {
  const BASE_URL = 'http://127.0.0.1:4711';
  const respond = (path: string) => (guidePages(BASE_URL)(path) as () => Promise<ApiResponse>)();
  const addresses = linksOf(String((await respond('/llms.txt')).body));
  expect(addresses).toHaveLength(DOCUMENTS.length + 1);
  const markdown = addresses.filter((address) => address.endsWith('.md'));
  expect(markdown.map((address) => new URL(address).origin)).toStrictEqual(DOCUMENTS.map(() => BASE_URL));
  for (const address of markdown) {
    const { pathname } = new URL(address);
    const { headers, body } = await respond(pathname);
    expect(headers).toContainEqual(['Content-Type', 'text/markdown; charset=utf-8']);
    const source = readFileSync(pathname.replace('/markdown/', 'docs/'), 'utf8')
      .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):3000(?!\d)/g, BASE_URL)
      .replaceAll(/\[([^\]]+)\]\(\.\.\/[\w./#-]+\)/g, '$1');
    expect(body).toBe(source);
    const relative = linksOf(source).filter((target) => !/^(?:https?:|#)/.test(target));
    for (const target of relative)
      expect(guidePages(BASE_URL)(new URL(target, address).pathname), target).toBeDefined();
    expect(String((await respond(pathname.replace('/markdown/', '/guide/'))).body)).toContain(
      `href="${pathname}"`,
    );
  }
});

test.each([
  '/guide/gone.md',
  '/markdown/gone.md',
  '/markdown/../package.json',
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
  expect(html.replaceAll(/<\/?span[^>]*>/g, '')).toContain('if (a &lt; b) x();');
  expect(html).toContain('<code>&lt;i&gt;</code>');
  expect(html).not.toContain('<script>');
  expect(html).toMatch(/<div class="scroll" role="region" aria-label="Table \d+" tabindex="0"><table>/);
});

test('a document and a program have the address of the stage', async () => {
  const page = guidePages('http://127.0.0.1:4711');
  for (const path of ['/guide/integrate.md', '/guide/tour.md', '/guide/examples/node/feed.mjs']) {
    const text = String((await (page(path) as () => Promise<ApiResponse>)()).body);
    expect(text).toContain('http://127.0.0.1:4711');
    expect(text).not.toMatch(/(?:127\.0\.0\.1|localhost):3000/);
  }
});

test('each program has a button that copies it, and a diagram is left out', () => {
  const { content } = renderMarkdown('# T\n\n```sh\nls\n```\n\n```mermaid\nflowchart TD\n```\n', 'page.md');
  const html = content.toString();
  const [, id = ''] = /data-copy="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`<code id="${id}">ls</code>`);
  expect(html).not.toMatch(/flowchart|mermaid/);
});

test('the contents name every document, and the sections of this one', async () => {
  const html = String(await bodyAt('/guide/payments.md'));
  const [, contents = ''] = /<nav aria-label="Guide">(.*?)<\/nav>/s.exec(html) ?? [];
  for (const name of ['integrate', 'contract', 'events', 'decisions'])
    expect(contents).toContain(`<a href="/guide/${name}.md">`);
  const sections = readFileSync('docs/payments.md', 'utf8').matchAll(/^## (.*)$/gm);
  for (const [, section = ''] of sections) expect(contents).toContain(`<a href="#${slug(section)}">`);
  expect(contents).toMatch(/<a href="\/guide\/payments.md" aria-current="page">/);
});
