import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEMO_STORES } from '../../infra/local/demo-stores.ts';
import { readyText } from '../../infra/local/ready-message.ts';
import { rowsOf } from './markdown.ts';

const README = readFileSync('README.md', 'utf8');

test('CI runs the test command of the README, and nothing else', () => {
  const [shebang, options, ...commands] = readFileSync('.ci/run', 'utf8').trim().split(/\n+/);
  expect([shebang, options]).toStrictEqual(['#!/usr/bin/env bash', 'set -euo pipefail']);
  expect(commands).toStrictEqual(['npm ci && npm test']);
  expect(README).toContain('```sh\nnpm ci && npm test\n```');
  expect(README).toContain('```sh\nnpm ci && npm start\n```');
});

test('the README says how the tests use another DynamoDB', () => {
  expect(README).toContain('`DYNAMODB_URL=http://127.0.0.1:8000 npm test`');
});

test('the README has at most 170 lines, and shows the call that the stage prints', () => {
  const ready = readyText({ baseUrl: 'http://127.0.0.1:3000', dynamodbEndpoint: '', webhooks: [] });
  const [printed] = /^curl .*$/m.exec(ready) ?? [];
  expect(README.replaceAll(/\s*\\\n\s*/g, ' ')).toContain(String(printed));
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(170);
});

test('the README names every demo store with its key and its products, and the guide uses the first', () => {
  for (const { id, apiKey, products } of DEMO_STORES) {
    const [, key, names = ''] = rowsOf(README).find(([name]) => name === id) ?? [];
    expect(key).toBe(apiKey);
    for (const product of products) expect(names).toContain(`\`${product.id}\``);
  }
  const [store] = DEMO_STORES;
  const settings = `API_KEY=${store?.apiKey} PRODUCT_ID=${store?.products[0]?.id}\n`;
  expect(readFileSync('docs/integrate.md', 'utf8')).toContain(settings);
});
