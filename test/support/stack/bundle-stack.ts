import { join } from 'node:path';
import { App, type CfnElement, Stack } from 'aws-cdk-lib';
import { type BundlingOptions, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { FunctionName } from '../../../functions/function-needs.ts';
import { HANDLER } from '../../../infra/stack/functions/bundling.ts';
import { ServiceFunction } from '../../../infra/stack/functions/service-function.ts';

interface FunctionResource {
  readonly Metadata: { readonly 'aws:asset:path': string };
  readonly Properties: { readonly Handler: string };
}

/** A bundled function. */
interface DeployedFunction {
  /** The file that Lambda loads. */
  readonly file: string;
  /** The bundle, beside its source map. Lambda loads it, or a file that loads it. */
  readonly bundle: string;
}

/** A stack that bundles functions with the constructs that deploy them. */
export class BundleStack extends Stack {
  readonly #app: App;

  /** @param outdir the folder for the bundles */
  constructor(outdir: string) {
    const app = new App({
      outdir,
      context: { 'aws:cdk:enable-asset-metadata': true },
      // It takes some seconds. `test/deploy/admit-assembly.test.ts` validates whole stages.
      builtinCloudFormationValidation: false,
    });
    super(app, 'Bundles');
    this.#app = app;
  }

  /** Adds a function of the service: one folder of `functions/`. */
  addFunction(functionName: FunctionName): ServiceFunction {
    return new ServiceFunction(this, functionName, {
      retainsData: false,
      reservedConcurrency: 0,
    });
  }

  /** Adds any file, for the same runtime as a function of the service. */
  addFile(
    id: string,
    entry: string,
    bundling: BundlingOptions,
    { runtime }: ServiceFunction,
  ): NodejsFunction {
    return new NodejsFunction(this, id, { entry, runtime, bundling });
  }

  /** Writes the bundles; returns a lookup of each bundled function. */
  write(): (lambda: NodejsFunction) => DeployedFunction {
    const { directory, stacks } = this.#app.synth();
    const { Resources } = stacks[0]!.template as { Resources: Readonly<Record<string, FunctionResource>> };
    return (lambda) => {
      const { Metadata, Properties } = Resources[this.getLogicalId(lambda.node.defaultChild as CfnElement)]!;
      const folder = join(directory, Metadata['aws:asset:path']);
      return {
        file: join(folder, Properties.Handler === HANDLER ? 'start.mjs' : 'index.js'),
        bundle: join(folder, 'index.js'),
      };
    };
  }
}
