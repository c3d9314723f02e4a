import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';
export default defineConfig({ test: { ...base.test, include: 'test/lib/*.test.ts,test/lib/carts/create-cart-request.test.ts'.split(','), globalSetup: ['test/tools/mutation/global-setup.ts'] } });
