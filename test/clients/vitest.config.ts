import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

export default defineConfig({
  test: {
    // The tests of the clients and of the sample programs run again, with installed packages, and in every language.
    include: [
      'test/clients/*.test.ts',
      'test/examples/{client,mistakes,receivers,examples,verify,webhook}*.test.ts',
      'test/infra/local/pages/{requests/request-page,webhooks/receivers}.test.ts',
    ],
    setupFiles: ['test/support/run/long-limits.ts', 'test/support/run/setup.ts'],
    environment: 'node',
    // Shared helpers import the functions, which read their variables on import.
    env: base.test?.env ?? {},
    globalSetup: ['test/clients/support/global-setup.ts'],
    // Each file starts a stage and the programs of its clients, which use all cores.
    fileParallelism: false,
    allowOnly: false,
    passWithNoTests: false,
    testTimeout: 300_000,
    // The first run installs the packages.
    hookTimeout: 600_000,
  },
});
