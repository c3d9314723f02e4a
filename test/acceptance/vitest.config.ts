import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/acceptance/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/acceptance/support/global-setup.ts'],
    // One request at a time, so that the suite is a light load for any stage.
    fileParallelism: false,
    isolate: false,
    allowOnly: false,
    passWithNoTests: false,
    // With a small limit, a test of twenty requests waits for twenty tokens.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
