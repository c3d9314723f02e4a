import { loadPackage } from '../packages.ts';

// Creates Medusa's tables, and exits. A fresh database needs none of the scripts that change old data.
const { default: migrate } = loadPackage('@medusajs/medusa/commands/db/migrate') as {
  readonly default: (options: object) => Promise<void>;
};
await migrate({ directory: process.cwd(), skipScripts: true, skipSearch: true, executeSafeLinks: true });
