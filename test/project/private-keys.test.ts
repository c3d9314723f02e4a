import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no file has a private key: tests make theirs when they run', () => {
  const files = globSync('{docs,functions,infra,lib,test}/**/*.{ts,js,json,md,pem,key}', {
    exclude: ['**/node_modules/**'],
  });
  expect(files.length).toBeGreaterThan(500);
  const withKey = files.filter((file) =>
    /BEGIN [A-Z ]*PRIVATE KEY-----\s+\w/.test(readFileSync(file, 'utf8')),
  );
  expect(withKey).toStrictEqual([]);
});
