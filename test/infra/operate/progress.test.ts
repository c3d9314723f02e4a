import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { WriteStream } from 'node:tty';
import { expect, it } from 'vitest';
import { showProgress } from '../../../infra/operate/progress.ts';

/** What a stream was shown, up to the bar's end. */
const shownOn = async (isTTY: boolean): Promise<string> => {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const progress = showProgress(10_000, stream as unknown as WriteStream);
  progress.update(0);
  progress.update(5_000);
  progress.end();
  return text(stream.end());
};

it('a terminal is shown how far it is, in one line that is erased in the end', async () => {
  const shown = await shownOn(true);
  expect(shown).toContain('0 of 10,000');
  expect(shown).toContain('5,000 of 10,000');
  expect(shown).not.toContain('\n');
  expect(shown.endsWith('\r\u001b[2K')).toBe(true);
});

it('what is no terminal is shown nothing', async () => {
  expect(await shownOn(false)).toBe('');
});
