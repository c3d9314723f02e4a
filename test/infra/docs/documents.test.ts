import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PUBLIC_OPERATIONS } from '../../../infra/contract/contracts.ts';
import { table, withBlocks } from '../../../infra/docs/blocks/markdown.ts';
import { DECLARATIONS, generateDeclarations } from '../../../infra/docs/clients/client-declarations.ts';
import { DOCUMENTS, generateDocument } from '../../../infra/docs/documents.ts';
import { LLMS_INDEX, renderLlmsIndex } from '../../../infra/docs/llms-index.ts';
import { branchStage, fullStage, productionStage } from '../../support/stack/template.ts';

/** The templates of the whole test run. */
const templates = {
  get production() {
    return productionStage().template;
  },
  get branch() {
    return branchStage().template;
  },
  get full() {
    return fullStage().template;
  },
};

test.each(DOCUMENTS)('%s has the blocks that the code generates', (path) => {
  const { text, generated } = generateDocument(path, templates);
  expect(text, 'run npm run docs').toBe(generated);
});

test('the declarations of the client for Node.js are those of its comments', async () => {
  expect(readFileSync(DECLARATIONS, 'utf8'), 'run npm run docs').toBe(await generateDeclarations());
});

test('the index for programs has each document, with the sentence that names its reader', () => {
  const index = renderLlmsIndex();
  expect(readFileSync(LLMS_INDEX, 'utf8'), 'run npm run docs').toBe(index);
  for (const path of globSync('docs/*.md'))
    expect(index).toMatch(new RegExp(String.raw`^- \[.+\]\(${path.replace('docs/', '')}\): For .+[.]$`, 'm'));
});

test('the contract has a paragraph about each operation, which begins with its name in bold', () => {
  const contract = readFileSync('docs/contract.md', 'utf8');
  // A paragraph can begin with several names.
  const subjects = contract.match(/^\*\*`.*/gm)?.join('\n');
  const missing = PUBLIC_OPERATIONS.filter(
    ({ operationId }) => !subjects?.includes(`**\`${operationId}\`**`),
  );
  expect(missing.map(({ operationId }) => operationId)).toStrictEqual([]);
});

test('a document gets its blocks and nothing else, and another set of blocks is rejected', () => {
  const page = (block: string) => `a\n\n<!-- generated: b -->\n\n${block}\n\n<!-- /generated -->\n\nc\n`;
  expect(withBlocks(page('old\n\n| old |'), { b: 'new' })).toBe(page('new'));
  expect(withBlocks('# generated: b\nold\n# /generated\nc', { b: 'new' })).toBe(
    '# generated: b\nnew\n# /generated\nc',
  );
  expect(() => withBlocks(page('old'), {})).toThrow('The document has the blocks b, not ');
  expect(() => withBlocks('', { b: 'new' })).toThrow('The document has the blocks , not b');
});

test('a table pads its cells, and escapes what would end them', () => {
  expect(
    table([
      ['a', 'long'],
      ['x|y', ''],
    ]),
  ).toBe('| a    | long |\n| ---- | ---- |\n| x\\|y |      |');
});
