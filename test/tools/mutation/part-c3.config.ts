import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';
export default defineConfig({ test: { ...base.test, include: 'test/lib/carts/**/*.test.ts,test/functions/**/*.test.ts'.split(','), globalSetup: ['test/tools/mutation/global-setup.ts'] } });
