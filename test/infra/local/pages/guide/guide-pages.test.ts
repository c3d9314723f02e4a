import { globSync, readFileSync } from 'node:fs';
import { slug } from 'github-slugger';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../../../../../infra/local/gateway/response.ts';
import { errorsPages } from '../../../../../infra/local/pages/guide/errors-page.ts';
import { guidePages, SERVED } from '../../../../../infra/local/pages/guide/guide-pages.ts';
import { renderMarkdown } from '../../../../../infra/local/pages/guide/markdown.ts';
import { API_ERRORS } from '../../../../../lib/http/errors.ts';
import { linksOf, sectionsOf } from '../../../../support/documents/markdown.ts';

const guidePage = guidePages('http://127.0.0.1:3000');

const bodyAt = async (path: string): Promise<string | undefined> => {
  const page = guidePage(path);
  return typeof page === 'function' ? String((await page(new URLSearchParams(), {})).body) : undefined;
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

test('a program of the guide is a page with a button that copies it, and a link to the file alone', async () => {
  const html = String(await bodyAt('/guide/examples/node/checkout.mjs'));
  expect(html).toContain('aria-label="Copy checkout.mjs"');
  expect(html).toContain('<a href="/markdown/examples/node/checkout.mjs">');
  expect(await bodyAt('/markdown/examples/node/checkout.mjs')).toBe(
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

/** For a document that refers to no file. */
const noFile = (path: string): string => {
  throw new Error(path);
};

test('the packages of an example that runs in the folder are not served', () => {
  const paths = ['webhooks.php', 'vendor/a/README.md', 'src/node_modules/a/a.ts'];
  expect(paths.filter((path) => SERVED.test(`examples/php/${path}`))).toStrictEqual(['webhooks.php']);
});

test('code and text stay text, and a table is reachable by the keyboard', () => {
  const { title, headings, content } = renderMarkdown(
    '# A & B\n\n## Use `<b>`\n\n```js\nif (a < b) x();\n```\n\n<script>x</script>\n\n| A & `b` |\n| - |\n| `<i>` |\n',
    'page.md',
    noFile,
  );
  const html = content.toString();
  expect([title, headings]).toStrictEqual(['A & B', [{ text: 'Use `<b>`', anchor: 'use-b' }]]);
  expect(html.replaceAll(/<\/?span[^>]*>/g, '')).toContain('if (a &lt; b) x();');
  expect(html).toContain('<code class="token">&lt;i&gt;</code>');
  expect(html).not.toContain('<script>');
  expect(html).toMatch(
    /<div class="scroll" role="region" tabindex="0" aria-label="Table \d+">\s*<table role="table">/,
  );
  expect(html).toContain('<td role="cell" data-label="A &amp; b">');
});

test('a document and a program have the address of the stage', async () => {
  const page = guidePages('http://127.0.0.1:4711');
  for (const path of ['/guide/integrate.md', '/guide/tour.md', '/guide/examples/node/feed.mjs']) {
    const text = String((await (page(path) as () => Promise<ApiResponse>)()).body);
    expect(text).toContain('http://127.0.0.1:4711');
    expect(text).not.toMatch(/(?:127\.0\.0\.1|localhost):3000/);
  }
});

test('each program has a button that copies it', () => {
  const { content } = renderMarkdown('# T\n\n```sh\nls\n```\n', 'page.md', noFile);
  const html = content.toString();
  const [, id = ''] = /data-copy="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`<code id="${id}">ls</code>`);
});

test('a diagram is an image of the stage, with its title for readers who cannot see it', async () => {
  const html = String(await bodyAt('/guide/contract.md'));
  const [, address = '', alternative] =
    /<img class="small" src="([^"]+)" alt="([^"]+)" width="[\d.]+"/.exec(html) ?? [];
  expect(alternative).toMatch(/^The statuses of a cart/);
  expect(html).not.toContain('stateDiagram');
  expect(await (guidePage(address) as () => Promise<ApiResponse>)()).toMatchObject({
    status: 200,
    headers: expect.arrayContaining([['Content-Type', 'image/svg+xml']]),
  });
});

test('a short name never breaks, and a long path breaks after a slash alone', () => {
  const text = '`createWebhookEndpoint` `POST /api/v1/stores/cart/{id}/expire`';
  const html = renderMarkdown(text, 'page.md', noFile).content.toString();
  expect(html).toContain('<code class="token">createWebhookEndpoint</code>');
  expect(html).toContain('<code>POST /<wbr>api/<wbr>v1/<wbr>stores/<wbr>cart/<wbr>{id}/<wbr>expire</code>');
});

test('each call of the first guide has a tab for curl and for each client', async () => {
  const html = String(await bodyAt('/guide/integrate.md'));
  const samples = readFileSync('docs/integrate.md', 'utf8').matchAll(/<!-- sample: (\w+) -->\n\n(```sh)?/g);
  const languagesOf = (name: string) =>
    [...html.matchAll(new RegExp(`<input type="radio" name="sample-${name}" value="(\\w+)"`, 'g'))].map(
      ([, language]) => language,
    );
  const names = Array.from(samples, ([, name = '', command]) => {
    const clients = ['node', 'python', 'php'];
    expect(languagesOf(name), name).toStrictEqual(command ? ['curl', ...clients] : clients);
    return name;
  });
  expect(names).toStrictEqual(['create', 'retrieve', 'endpoint', 'verify', 'feed']);
  expect(html).toContain('<span class="t-word">import</span> { CartCheckout }');
  expect(html).not.toMatch(/#?region (?:create|verify)/);
});

test('a link that names the file of a document shows its title instead', async () => {
  const html = String(await bodyAt('/guide/events.md'));
  expect(html).toContain('<a href="integrate.md#webhooks">Integrate</a>');
  expect(html).not.toMatch(/>[\w-]+\.md(?:, |<)/);
});

test('a sample that no program has is an error', () => {
  const read = (path: string) => readFileSync(`docs/${path}`, 'utf8');
  expect(() => renderMarkdown('<!-- sample: gone -->\n', 'page.md', read)).toThrow('has the region gone');
});

test.each(DOCUMENTS)(
  'the contents on %s have every document, and mark it with its sections',
  async (path) => {
    const html = String(await bodyAt(path));
    const [, contents = ''] = /<nav aria-label="Guide">(.*?)<\/nav>/s.exec(html) ?? [];
    const listed = [...contents.matchAll(/<a href="(\/guide\/[^"]+)"/g)].map(([, address]) => address);
    expect(new Set(listed)).toStrictEqual(new Set(DOCUMENTS));
    expect(contents).toContain(`<a href="${path}" aria-current="page">`);
    expect(contents).toContain('<a href="/errors">');
    const sections = readFileSync(path.replace('/guide/', 'docs/'), 'utf8').matchAll(/^## (.*)$/gm);
    for (const [, section = ''] of sections) expect(contents).toContain(`<a href="#${slug(section)}">`);
    const [, open = ''] = /<details open><summary>(.*?)<\/summary>/.exec(contents) ?? [];
    expect(open).toBe(
      /integrate|clients|contract|event|test-in-ci/.test(path) ? 'For merchants' : 'For the platform team',
    );
  },
);

test('each document leads to the next one of its readers, and back', async () => {
  const linkTo = async (path: string, rel: string) =>
    new RegExp(`<a href="([^"]+)" rel="${rel}">`).exec(String(await bodyAt(path)))?.[1];
  expect(await linkTo('/guide/integrate.md', 'prev')).toBeUndefined();
  expect(await linkTo('/guide/integrate.md', 'next')).toBe('/guide/clients.md');
  expect(await linkTo('/guide/clients.md', 'prev')).toBe('/guide/integrate.md');
  expect(await linkTo('/guide/operate.md', 'prev')).toBeUndefined();
});

test('the index of the search has the text of each section, with an address on the stage', async () => {
  const entries = JSON.parse(String(await bodyAt('/guide/search.json'))) as string[][];
  const retry = entries.find(([address]) => address === '/guide/integrate.md#2-retry-safely');
  expect(retry).toStrictEqual([
    '/guide/integrate.md#2-retry-safely',
    'Integrate',
    '2. Retry safely',
    expect.stringContaining('With an Idempotency-Key, a retry does not create a second cart.'),
  ]);
  expect(new Set(entries.map(([address = '']) => address.replace(/#.*/, '')))).toStrictEqual(
    new Set(DOCUMENTS),
  );
});

test('each code of the page of errors leads to a section of the guide', async () => {
  const html = String(errorsPages('/errors')?.body);
  const links = [...html.matchAll(/In the guide: <a href="\/guide\/([\w.]+)#([\w-]+)">/g)];
  expect(links).toHaveLength(new Set(Object.values(API_ERRORS).map(({ code }) => code)).size);
  for (const [, file = '', anchor = ''] of links) {
    const sections = sectionsOf(readFileSync(`docs/${file}`, 'utf8')).keys();
    expect(
      [...sections].map((heading) => slug(heading)),
      file,
    ).toContain(anchor);
  }
});
