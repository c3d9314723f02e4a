import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const NOT_OF_THE_PROJECT = new Set(['.git', '.local', 'cdk.out', 'generated', 'node_modules', 'vendor']);

test('no file has a private key: tests make theirs when they run', () => {
  const entries = globSync('**', {
    withFileTypes: true,
    exclude: ({ name }) => NOT_OF_THE_PROJECT.has(name),
  });
  const files = entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
  expect(files.length).toBeGreaterThan(1_000);
  const withKey = files.filter((file) =>
    /BEGIN [A-Z ]*PRIVATE KEY-----\s+\w/.test(readFileSync(file, 'utf8')),
  );
  expect(withKey).toStrictEqual([]);
});
