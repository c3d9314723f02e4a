import { afterEach, expect, it, vi } from 'vitest';
import { defaultProvider } from '../../lib/lambda-credentials.ts';

afterEach(() => vi.unstubAllEnvs());

it("a function's credentials are those that Lambda sets in its environment", async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id-of-the-role');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret-of-the-role');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session-of-the-role');
  expect(await defaultProvider()()).toMatchObject({
    accessKeyId: 'id-of-the-role',
    secretAccessKey: 'secret-of-the-role',
    sessionToken: 'session-of-the-role',
  });
});
