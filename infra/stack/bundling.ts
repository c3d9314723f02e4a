import { join } from 'node:path';
import { type BundlingOptions, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';

/** How a bundle is made: what Lambda loads is one minified file with a source map, the SDK included. */
export const BUNDLE_FORMAT = {
  // CommonJS starts faster than ESM, and a bundled SDK faster than the runtime's own.
  format: OutputFormat.CJS,
  bundleAwsSDK: true,
  // The modules' ESM sources: only they can be shaken.
  mainFields: ['module', 'main'],
  minify: true,
  sourceMap: true,
  sourcesContent: false,
} as const satisfies BundlingOptions;

/** How every function is bundled: with the credentials that Lambda gives it, and no way to any other. */
export const BUNDLING = {
  ...BUNDLE_FORMAT,
  esbuildArgs: {
    // The SDK imports the whole chain, whatever credentials its client is given: aws/aws-sdk-js-v3#5516.
    '--alias:@aws-sdk/credential-provider-node': join(import.meta.dirname, '../../lib/lambda-credentials.ts'),
  },
} as const satisfies BundlingOptions;
