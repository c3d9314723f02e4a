import { globSync, readFileSync } from 'node:fs';
import { GROUPS } from '../local/pages/guide/contents.ts';

/** The file for programs that read the documents (https://llmstxt.org). The local stage serves it too. */
export const LLMS_INDEX = 'docs/llms.txt';

const FOR_MERCHANTS: readonly string[] = GROUPS['For merchants'];

/** The link to a document, with its first paragraph, which names its reader. */
const linkTo = (name: string): string => {
  const [, title = '', paragraph = ''] =
    /^# ([^\n]+)\n\n(.+?)\n\n/s.exec(readFileSync(`docs/${name}.md`, 'utf8')) ?? [];
  const [sentence = ''] = /^.*?[^.]\.(?= |$)/.exec(paragraph.replaceAll('\n', ' ')) ?? [];
  return `- [${title}](${name}.md): ${sentence.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')}`;
};

/** Makes {@link LLMS_INDEX}: a link to each document of the folder `docs`. */
export const renderLlmsIndex = (): string => {
  const names = globSync('docs/*.md').map((path) => path.replaceAll(/^docs\/|\.md$/g, ''));
  const others = names.filter((name) => !FOR_MERCHANTS.includes(name)).toSorted();
  return `# Cart Checkout

> An HTTP API for shops. Your server creates a cart, sends the buyer to the cart's payment page, and receives a signed webhook when the buyer has paid.

## For merchants' developers

${FOR_MERCHANTS.map(linkTo).join('\n')}
- [OpenAPI 3.1](openapi.json): The contract for programs.

## Optional

${others.map(linkTo).join('\n')}
`;
};
