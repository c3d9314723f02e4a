import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BundlingOptions, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/** The format of a bundle: one minified file, `index.js`, that includes the SDK, with a source map. */
export const BUNDLE_FORMAT = {
  // CommonJS starts faster than ESM (`docs/decisions.md`). A bundled SDK starts faster than the one of the runtime.
  format: OutputFormat.CJS,
  bundleAwsSDK: true,
  // Tree shaking needs the ESM sources of the packages.
  mainFields: ['module', 'main'],
  minify: true,
  sourceMap: true,
  sourcesContent: false,
} as const satisfies BundlingOptions;

/** Lambda loads `start.mjs`, which loads the bundle and waits until the function is prepared. */
export const HANDLER = 'start.handler';

const START_FILE = join(import.meta.dirname, 'start.mjs');

const CREDENTIALS_FILE = join(import.meta.dirname, 'function-credentials.ts');

/** The bundling of every function. */
export const BUNDLING = {
  ...BUNDLE_FORMAT,
  esbuildArgs: {
    // The SDK's chain of credential providers has clients of SSO, STS and others: a third of a bundle.
    '--alias:@aws-sdk/credential-provider-node': CREDENTIALS_FILE,
  },
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    // No command of a shell, which would read a path that has `$` or a quote. The CDK also asks for the commands in a container.
    afterBundling: (_, outputFolder) => {
      if (existsSync(outputFolder)) copyFileSync(START_FILE, join(outputFolder, 'start.mjs'));
      return [];
    },
  },
} as const satisfies BundlingOptions;
