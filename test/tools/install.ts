import { installPackages } from '../support/programs/install-packages.ts';

/** Installs the packages that only rare tools need. */
await installPackages(import.meta.dirname);
