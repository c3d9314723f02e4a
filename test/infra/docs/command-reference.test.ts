import { expect, test } from 'vitest';
import { renderReference } from '../../../infra/docs/blocks/command-reference.ts';
import { COMMANDS } from '../../../infra/operate/commands.ts';
import {
  operateCommandsIn,
  parseOperate,
  shellLinesOf,
} from '../../support/documents/documented-commands.ts';

const reference = renderReference();

test('the reference has a section for each command, with a valid example', async () => {
  const headings = [...reference.matchAll(/^### `([a-z -]+?)(?: [<[].*)?`$/gm)].map(([, words]) => words);
  expect(headings).toStrictEqual(Object.keys(COMMANDS));
  const examples = operateCommandsIn(shellLinesOf(reference));
  expect(examples).toHaveLength(headings.length);
  for (const example of examples) await expect(parseOperate(example), example).resolves.toBeDefined();
});
