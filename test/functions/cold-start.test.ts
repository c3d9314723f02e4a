import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const USED = {
  'create-cart-checkout': [
    'STAGE_NAME',
    'API_KEYS_TABLE',
    'PRODUCTS_TABLE',
    'CARTS_TABLE',
    'LIVE_CHECKOUT_URL',
    'SANDBOX_CHECKOUT_URL',
    'CART_EXPIRY_SECONDS',
    'CART_RETENTION_SECONDS',
  ],
  'get-cart': ['STAGE_NAME', 'API_KEYS_TABLE', 'CARTS_TABLE'],
  'record-payment': ['STAGE_NAME', 'CARTS_TABLE'],
  'sandbox-checkout': ['STAGE_NAME', 'CARTS_TABLE'],
} as const;

const VALUES: Readonly<Record<string, string>> = {
  STAGE_NAME: 'test',
  API_KEYS_TABLE: 'api-keys',
  PRODUCTS_TABLE: 'products',
  CARTS_TABLE: 'carts',
  LIVE_CHECKOUT_URL: 'https://checkout.invalid',
  SANDBOX_CHECKOUT_URL: 'https://checkout.invalid',
  CART_EXPIRY_SECONDS: '86400',
  CART_RETENTION_SECONDS: '2592000',
  AWS_REGION: 'local',
};

/** Loads a function as Lambda does, in a process of its own; what it says on standard error. */
const load = async (functionName: string, env: Record<string, string>): Promise<string> => {
  const script = `await import('./functions/${functionName}/handler.ts')`;
  const args = ['--input-type=module', '--eval', script];
  try {
    return (await promisify(execFile)(process.execPath, args, { env })).stderr;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
};

describe.each(Object.entries(USED))('the function %s', (functionName, variables) => {
  it('starts with its variables and no other', async () => {
    const names = [...variables, 'AWS_REGION'];
    const env = Object.fromEntries(names.map((name) => [name, VALUES[name] ?? '']));
    expect(await load(functionName, env)).toBe('');
  });

  it.each(variables)('does not start without %s, and says so by its name', async (missing) => {
    const { [missing]: _, ...env } = VALUES;
    expect(await load(functionName, env)).toContain(`The environment is not usable: ${missing} is missing.`);
  });
});
