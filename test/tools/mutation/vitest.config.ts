import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.ts';
import { NearestFirst } from './nearest-first.ts';

/** The tests that run `lib/` in their own process. A mutant is active in that process alone. */
export default defineConfig({
  test: {
    ...base.test,
    include: ['test/lib/**/*.test.ts', 'test/functions/**/*.test.ts'],
    // It runs bundles in other processes.
    exclude: ['test/functions/cold-start.test.ts'],
    // Stryker runs tests in threads, which reject the options of V8.
    execArgv: [],
    // Nobody has tried Stryker without Vite's module runner.
    experimental: {},
    // With shared modules, the coverage of each file would include that of all files before: 10 GB.
    isolate: true,
    globalSetup: ['test/tools/mutation/global-setup.ts'],
    sequence: { sequencer: NearestFirst },
  },
});
