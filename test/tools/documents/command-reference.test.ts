import { expect, test } from 'vitest';
import { commandsByWords } from '../../../infra/operate/commands.ts';
import { operateCommandsIn, parseOperate, shellLinesOf } from '../../frame/commands.ts';
import { renderReference } from './command-reference.ts';

const reference = renderReference();

test('the reference has a section for each command, with a valid example', async () => {
  const headings = [...reference.matchAll(/^### `([a-z -]+?)(?: [<[].*)?`$/gm)].map(([, words]) => words);
  expect(headings).toStrictEqual([...commandsByWords().keys()]);
  const examples = operateCommandsIn(shellLinesOf(reference));
  expect(examples).toHaveLength(headings.length);
  for (const example of examples) await expect(parseOperate(example), example).resolves.toBeDefined();
});

test('a section describes arguments, options, the JSON and the audit record', () => {
  const [, section = ''] = /(### `keys rotate .*?)\n\n###/s.exec(reference) ?? [];
  expect(section.split('\n')).toStrictEqual(
    expect.arrayContaining([
      '### `keys rotate <keyId>`',
      'Issue a key that replaces another one, which ends after an overlap.',
      '- `<keyId>`: the id of the key or its beginning, not the key itself. Required.',
      '- `--overlap <duration>`: how long both keys work, such as 12h or 7d. Default: `24h`.',
      '- `--yes`: change live mode without asking.',
      '- Audit record: `keyId newKeyId overlapSeconds`.',
    ]),
  );
  expect(section).toMatch(/^- JSON: `apiKey keyId .* oldKeyId oldKeyEndsAt\?`\.$/m);
  expect(section).toContain('\n\nBoth keys work during the overlap');
  expect(reference).toContain(
    '- `--mode <mode>`: the mode of these events. One of `live`, `test`. Required.',
  );
});
