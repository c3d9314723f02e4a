import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type Ending, endingOf, untilEnter } from './ending.ts';

const STAYS = [
  'The stage stays: try the "Over when" of the section.',
  'Press Enter, and the game removes the stage and its data.',
];

test.each<[Ending, string]>([
  [{ isMended: true, minutes: 1 }, 'Mended after 1 minute: docs/runbook.md, section NoCarts.'],
  [{ isMended: true, minutes: 2 }, 'Mended after 2 minutes: docs/runbook.md, section NoCarts.'],
  [{ isMended: false, minutes: 30 }, 'Not mended within 30 minutes. It is docs/runbook.md, section NoCarts.'],
])('the end of a game names its time and its section: %j', (ending, line) => {
  expect(endingOf({ section: 'NoCarts' }, ending).split('\n')).toStrictEqual([line, ...STAYS]);
});

test("it says what to do with the player's own stage, before the game removes its data", () => {
  const text = endingOf(
    { section: 'NoRequests', beforeRemoval: 'End your stage.' },
    { isMended: true, minutes: 1 },
  );
  expect(text).toContain(`${STAYS[0]}\nEnd your stage.\n${STAYS[1]}`);
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
