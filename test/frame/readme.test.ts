import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEMO_STORES } from '../../infra/local/demo-stores.ts';
import { readyText } from '../../infra/local/ready-message.ts';

const README = readFileSync('README.md', 'utf8');

/** A shell command with its line continuations undone. */
const joined = (text: string): string => text.replaceAll(/\s*\\\n\s*/g, ' ');

test('CI runs the test command of the README, and nothing else', () => {
  const [shebang, options, ...commands] = readFileSync('.ci/run', 'utf8').trim().split(/\n+/);
  expect([shebang, options]).toStrictEqual(['#!/usr/bin/env bash', 'set -euo pipefail']);
  expect(commands).toStrictEqual(['npm ci && npm test']);
  expect(README).toContain('```sh\nnpm ci && npm test\n```');
});

test('the README shows the call that the stage prints', () => {
  const [, printed] =
    /^(curl .*)$/m.exec(readyText({ baseUrl: 'http://127.0.0.1:3000', dynamodbEndpoint: '' })) ?? [];
  expect(joined(README)).toContain(String(printed));
});

test('the README names every demo store with its key and its products', () => {
  for (const { id, apiKey, products } of DEMO_STORES) {
    const row = README.split('\n').find((line) => line.startsWith(`| \`${id}\``));
    for (const part of [apiKey, ...products.map((product) => product.id)])
      expect(row).toContain(`\`${part}\``);
  }
});
