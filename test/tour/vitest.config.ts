import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/tour/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/deploy/global-setup.ts'],
    // The game day keeps the time limits of the service: another file at the same time could make it miss them.
    fileParallelism: false,
    allowOnly: false,
    passWithNoTests: false,
    // The tour includes a deployment, which takes minutes. The first run also installs the emulator.
    testTimeout: 900_000,
  },
});
