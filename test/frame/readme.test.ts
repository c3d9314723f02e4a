import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEMO_STORES } from '../../infra/local/demo-stores.ts';
import { curlCommand } from '../../infra/local/ready-message.ts';

const README = readFileSync('README.md', 'utf8');

test('CI runs the test command of the README, and nothing else', () => {
  const [shebang, options, ...commands] = readFileSync('.ci/run', 'utf8').trim().split(/\n+/);
  expect([shebang, options]).toStrictEqual(['#!/usr/bin/env bash', 'set -euo pipefail']);
  expect(commands).toStrictEqual(['npm ci && npm test']);
  expect(README).toContain('```sh\nnpm ci && npm test\n```');
  expect(README).toContain('```sh\nnpm ci && npm start\n```');
});

test('the README shows the call that the stage prints', () => {
  expect(README.replaceAll(/\s*\\\n\s*/g, ' ')).toContain(curlCommand('http://127.0.0.1:3000'));
});

test('the guide uses the first demo store', () => {
  const [store] = DEMO_STORES;
  const settings = `API_KEY=${store?.apiKey} PRODUCT_ID=${store?.products[0]?.id}\n`;
  expect(readFileSync('docs/integrate.md', 'utf8')).toContain(settings);
});
