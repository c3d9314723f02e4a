import { defineConfig } from 'vitest/config';
import { hideAwsSettings } from './infra/local-access/aws-settings.ts';
import { TEST_ENVIRONMENT } from './test/support/run/test-environment.ts';

hideAwsSettings();

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Each has a configuration of its own: `npm run test:browser` and so on.
    exclude: [
      '**/node_modules/**',
      ...['browser', 'clients', 'deploy', 'tour'].map((name) => `test/${name}/**`),
    ],
    environment: 'node',
    globalSetup: ['test/support/run/global-setup.ts'],
    setupFiles: ['test/support/run/long-limits.ts', 'test/support/run/setup.ts'],
    pool: 'forks',
    // Few collections of garbage. A new space that starts small, and buffers that start collections of the whole heap, would
    // take 5 CPU seconds more. A worker's memory grows to 1.8 GB. Threads that help to collect would compete with the workers.
    execArgv: [
      '--min-semi-space-size=256',
      '--max-semi-space-size=256',
      '--initial-old-space-size=4000',
      '--external-memory-accounted-in-global-limit',
      '--single-threaded-gc',
    ],
    // Files of one worker share loaded modules: half the time. Modules therefore keep no state of tests,
    // except for the stage that the files of a worker share (`givenSharedStage`).
    isolate: false,
    // Node.js loads the sources itself: a tenth less CPU than with Vite.
    experimental: { viteModuleRunner: false },
    unstubEnvs: true,
    restoreMocks: true,
    // Vitest leaves one core free, which on a machine of two halves the speed.
    maxWorkers: '100%',
    // Lint rejects `it.only`. This also rejects `it(name, { only: true }, ...)`.
    allowOnly: false,
    passWithNoTests: false,
    env: TEST_ENVIRONMENT,
    // Only what hangs reaches these limits, however slow the machine is. No test waits for a duration.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
