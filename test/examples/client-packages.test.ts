import { globSync, readFileSync } from 'node:fs';
import { EVENT_TYPES as CLIENT_EVENT_TYPES } from 'cart-checkout-client';
import { expect, test } from 'vitest';
import { contractDocument } from '../../infra/contract/document.ts';
import { EVENT_TYPES } from '../../lib/events/event-types.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

const { version } = JSON.parse(read('package.json')) as { version: string };

test.each<readonly [path: string, text: string]>([
  ['clients/node/package.json', `"version": "${version}"`],
  ['clients/node/cart-checkout.mjs', `const VERSION = '${version}';`],
  ['clients/python/pyproject.toml', `version = "${version}"`],
  ['clients/python/src/cart_checkout/__init__.py', `__version__ = "${version}"`],
  ['clients/php/composer.json', `"version": "${version}"`],
  ['clients/php/src/CartCheckout.php', `const VERSION = '${version}';`],
  ...['node', 'python', 'php'].map((name) => [`clients/${name}/CHANGELOG.md`, `## ${version} `] as const),
  ['docs/clients.md', `cart-checkout-client-${version}.tgz`],
  ['docs/clients.md', `cart_checkout_client-${version}-py3-none-any.whl`],
])('%s has the version of the project', (path, text) => {
  expect(read(path)).toContain(text);
});

test('what merchants copy has the licence MIT-0, in each file, package and the contract', () => {
  const sources = globSync('{clients,docs/examples}/**/*.{mjs,mts,php,py,ts,html}').filter(
    (path) => !/node_modules|vendor|\.test\./.test(path),
  );
  expect(sources.length).toBeGreaterThan(20);
  const withLicence = sources.filter((path) =>
    /^.{0,40}\bSPDX-License-Identifier: MIT-0\b/m.test(read(path)),
  );
  expect(withLicence).toStrictEqual(sources);
  const licences = ['clients/node', 'clients/python', 'clients/php', 'docs/examples'].map((path) =>
    read(`${path}/LICENSE`),
  );
  expect(new Set(licences).size).toBe(1);
  for (const path of [
    'clients/node/package.json',
    'clients/php/composer.json',
    'docs/examples/php/composer.json',
  ])
    expect(read(path)).toContain('"license": "MIT-0"');
  expect(read('clients/python/pyproject.toml')).toContain('license = "MIT-0"');
  expect(contractDocument()['info']).toMatchObject({ license: { identifier: 'MIT-0' } });
});

test('the clients know each type of an event that the service records', () => {
  expect(new Set(CLIENT_EVENT_TYPES)).toStrictEqual(new Set(EVENT_TYPES));
});
