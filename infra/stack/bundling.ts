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

/** Lambda loads `start.mjs`, which loads the bundle and ends init once the function is prepared. */
export const HANDLER = 'start.handler';

const START_FILE = join(import.meta.dirname, 'start.mjs');

/** The bundling of every function, with the SDK's commands and exceptions alone. */
export const BUNDLING = {
  ...BUNDLE_FORMAT,
  esbuildArgs: {
    // The package's index makes clients and paginators as it loads, so no bundle can leave out the SDK's whole client.
    '--alias:@aws-sdk/lib-dynamodb': '@aws-sdk/lib-dynamodb/dist-es/commands/index.js',
    // The SDK imports its whole credential chain even if the client has credentials: aws/aws-sdk-js-v3#5516.
    '--alias:@aws-sdk/credential-provider-node': join(import.meta.dirname, '../../lib/lambda-credentials.ts'),
  },
  commandHooks: {
    beforeBundling: () => [],
    beforeInstall: () => [],
    afterBundling: (_, outputFolder) => [`cp "${START_FILE}" "${outputFolder}"`],
  },
} as const satisfies BundlingOptions;
