import { expect, it } from 'vitest';
import { generateApiKey } from '../../../../lib/api-keys/api-key.ts';
import { responseText } from '../../../../lib/deliveries/sending/response-text.ts';
import { generateSecret } from '../../../../lib/endpoints/signing-secret.ts';

const textOf = (body: string): string => responseText(Buffer.from(body));

it.each([
  ['plain', (secret: string) => `KEY=${secret}\nDEBUG=1`, 'KEY=*** DEBUG=1'],
  ['quoted', (secret: string) => JSON.stringify({ secret }), '{"secret":"***"}'],
  [
    'escaped',
    (secret: string) => `{"secret":"${secret.replaceAll('/', String.raw`\/`)}"}`,
    '{"secret":"***"}',
  ],
  ['encoded', (secret: string) => `<b>${encodeURIComponent(secret)}</b>`, '<b>***</b>'],
  ['cut off', (secret: string) => `${'x'.repeat(480)} ${secret}`, `${'x'.repeat(480)} ***`],
])('hides API keys and signing secrets: %s', (_, page, hidden) => {
  for (const secret of [generateApiKey('live'), generateApiKey('test'), generateSecret()]) {
    const prefix = /^(?:cck_(?:live|test)_|whsec_)/.exec(secret)?.[0] ?? '';
    expect(textOf(page(secret))).toBe(hidden.replace('***', `${prefix}***`).slice(0, 500));
  }
});

it('keeps 500 characters, without control characters', () => {
  expect(textOf(`\u001b[31mno\u0000\r\n\u202Ething\u200b ${'🛒'.repeat(600)}`)).toBe(
    `[31mno thing ${'🛒'.repeat(487)}`,
  );
});
