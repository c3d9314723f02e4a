import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/tour/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/deploy/support/global-setup.ts'],
    allowOnly: false,
    passWithNoTests: false,
    // A deployment takes minutes. The first run also installs the emulator.
    testTimeout: 600_000,
  },
});
