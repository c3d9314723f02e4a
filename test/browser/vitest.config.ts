import { defineConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    environment: 'node',
    // Shared helpers import the functions, which read their variables on import.
    env: base.test?.env ?? {},
    globalSetup: ['test/browser/support/global-setup.ts'],
    // Each file starts a stage and a browser of its own, which use all cores.
    fileParallelism: false,
    allowOnly: false,
    passWithNoTests: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As long as Playwright waits.
    expect: { poll: { timeout: 30_000 } },
  },
});
