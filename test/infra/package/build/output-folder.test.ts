import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { outputFolder } from '../../../../infra/package/build/output-folder.ts';

const givenFolder = (...names: readonly string[]): string => {
  const folder = mkdtempSync(join(tmpdir(), 'packages-'));
  for (const name of names) writeFileSync(join(folder, name), '');
  return folder;
};

const PACKAGES = [
  'cart-checkout-1.0.0.tgz',
  'cart-checkout-client-php-1.0.0.zip',
  'cart_checkout_client-1.0.0-py3-none-any.whl',
];

it('the build of the packages deletes no file that is no package, and says so in one sentence', () => {
  const folder = givenFolder('notes.txt', ...PACKAGES);
  const args = ['infra/package/build/main.ts', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toStrictEqual({
    status: 1,
    stdout: '',
    stderr: `${folder} has other files than packages: name a new or empty folder.\n`,
  });
  expect(readdirSync(folder)).toContain('notes.txt');
});

it.each([
  ['a new folder', () => join(givenFolder(), 'new')],
  ['an empty folder', () => givenFolder()],
  ['a folder of earlier packages', () => givenFolder(...PACKAGES)],
])('the packages may replace %s', (_, given) => {
  const folder = given();
  expect(outputFolder(folder)).toBe(folder);
});

it.each([
  ['the working folder', () => '.'],
  ['a file', () => join(givenFolder('cart-checkout-1.0.0.tgz'), 'cart-checkout-1.0.0.tgz')],
])('the packages do not replace %s', (_, given) => {
  expect(outputFolder(given())).toBeUndefined();
});

it('the packages go to dist by default, from any folder, and any path leads to it', () => {
  expect(outputFolder(undefined)).toBe(outputFolder('./dist/'));
});
