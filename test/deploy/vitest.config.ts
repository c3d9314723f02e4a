import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    environment: 'node',
    allowOnly: false,
    passWithNoTests: false,
    // Two deployments, or an acceptance suite.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
