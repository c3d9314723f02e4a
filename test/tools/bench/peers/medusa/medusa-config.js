import { createRequire } from 'node:module';

// The packages are not installed with the project, so they have no types here.
const { defineConfig } = createRequire(import.meta.url)('@medusajs/framework/utils');

export default defineConfig({
  projectConfig: {
    databaseUrl: process.env['DATABASE_URL'],
    // This process serves requests alone. No worker runs beside it.
    workerMode: 'server',
    http: {
      storeCors: 'http://localhost',
      adminCors: 'http://localhost',
      authCors: 'http://localhost',
      jwtSecret: 'bench',
      cookieSecret: 'bench',
    },
  },
  admin: { disable: true },
});
