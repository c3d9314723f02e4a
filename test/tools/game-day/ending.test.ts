import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { endingOf, untilEnter } from './ending.ts';

test.each<[isMended: boolean, minutes: number, line: string]>([
  [true, 1, 'Mended after 1 minute: docs/runbook.md, section NoCarts.'],
  [true, 2, 'Mended after 2 minutes: docs/runbook.md, section NoCarts.'],
  [false, 30, 'Not mended within 30 minutes. It is docs/runbook.md, section NoCarts.'],
])('the end of a game names its time, its section, and the last steps: %s, %i', (isMended, minutes, line) => {
  expect(endingOf('NoCarts', isMended, minutes).split('\n')).toStrictEqual([
    line,
    'The stage stays: try the "Over when" of the section. Then end any stage that you started yourself.',
    'Press Enter, and the game removes the stage and its data.',
  ]);
});

test.each<[string, (stdin: PassThrough) => unknown]>([
  ['Enter is pressed', (stdin) => stdin.write('\n')],
  ['standard input ends', (stdin) => stdin.end()],
])('the stage stays until %s', async (_, end) => {
  const stdin = new PassThrough();
  let isOver = false;
  const over = untilEnter(stdin).then(() => (isOver = true));
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  end(stdin);
  expect(await over).toBe(true);
});

test('the stage does not stay without a player', async () => {
  const stdin = new PassThrough().resume().end();
  await once(stdin, 'end');
  await expect(untilEnter(stdin)).resolves.toBeUndefined();
});
