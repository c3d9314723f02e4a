import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/tour/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/deploy/support/global-setup.ts'],
    allowOnly: false,
    passWithNoTests: false,
    // For a deployment. The first run installs the emulator before.
    testTimeout: 600_000,
  },
});
