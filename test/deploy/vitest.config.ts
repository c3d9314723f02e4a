import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    environment: 'node',
    // Each has an emulator, unless AWS_ENDPOINT_URL names one for all.
    fileParallelism: false,
    globalSetup: ['test/support/deploy/global-setup.ts'],
    allowOnly: false,
    passWithNoTests: false,
    // For two deployments, or for a run of the acceptance suite.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
