import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadHandlers } from '../../../infra/local/handlers.ts';

test.each([
  ['does not exist', undefined],
  ['has a module without a handler', 'export const handle = 1;'],
])('a function whose folder %s is reported in one sentence', async (_what, source) => {
  const folder = await mkdtemp(join(tmpdir(), 'cart-checkout-functions-'));
  await mkdir(join(folder, 'list-carts'));
  if (source !== undefined) await writeFile(join(folder, 'list-carts', 'handler.ts'), source);

  await expect(loadHandlers(['list-carts'], folder)).rejects.toThrow(
    'functions/list-carts/handler.ts must export a function named handler: functions/operations.ts names it.',
  );
});
