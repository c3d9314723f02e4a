import { join } from 'node:path';
import { type BundlingOptions, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/** The format of a bundle: one minified file that includes the SDK, with a source map. */
export const BUNDLE_FORMAT = {
  // CommonJS starts faster than ESM. A bundled SDK starts faster than the one of the runtime.
  format: OutputFormat.CJS,
  bundleAwsSDK: true,
  // Tree shaking needs the ESM sources of the packages.
  mainFields: ['module', 'main'],
  minify: true,
  sourceMap: true,
  sourcesContent: false,
} as const satisfies BundlingOptions;

/** The bundling of every function. Its SDK takes credentials only from the environment that Lambda sets. */
export const BUNDLING = {
  ...BUNDLE_FORMAT,
  esbuildArgs: {
    // The SDK imports its whole credential chain even if the client has credentials: aws/aws-sdk-js-v3#5516.
    '--alias:@aws-sdk/credential-provider-node': join(import.meta.dirname, '../../lib/lambda-credentials.ts'),
  },
} as const satisfies BundlingOptions;
