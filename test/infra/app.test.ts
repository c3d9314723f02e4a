import { expect, test, vi } from 'vitest';

test('an error of the operator ends the app in one sentence', async () => {
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ stage: 'x', alarmEMail: 'ops@example.com' }));
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // A process of its own would load the CDK again: 2 s of CPU.
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  await expect(import('../../infra/app.ts')).rejects.toThrow('exit');
  expect(exit.mock.calls).toStrictEqual([[1]]);
  expect(written.mock.calls).toStrictEqual([
    ['There is no context value "alarmEMail". Did you mean alarmEmail?\n'],
  ]);
});
