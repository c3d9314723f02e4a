import { join } from 'node:path';
import { App, type CfnElement, Stack } from 'aws-cdk-lib';
import { type BundlingOptions, NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { ServiceFunction } from '../../infra/stack/service-function.ts';

interface FunctionResource {
  readonly Metadata: { readonly 'aws:asset:path': string };
  readonly Properties: { readonly Environment?: { readonly Variables: Readonly<Record<string, string>> } };
}

/** A function as it would be deployed. */
export interface DeployedFunction {
  /** Its bundle's one JavaScript file; its source map lies beside it. */
  readonly file: string;
  /** What its environment sets for Node.js itself. */
  readonly nodeOptions: string | undefined;
}

/** A stack whose functions are bundled by the very constructs that deploy them. */
export class BundleStack extends Stack {
  readonly #app: App;

  /** @param outdir the folder that the bundles are written to */
  constructor(outdir: string) {
    const app = new App({ outdir, context: { 'aws:cdk:enable-asset-metadata': true } });
    super(app, 'Bundles');
    this.#app = app;
  }

  /** Adds a function of the service: one file of `functions/`. */
  addFunction(functionName: string): ServiceFunction {
    return new ServiceFunction(this, functionName, { name: 'bundles', retainsData: false });
  }

  /** Adds any file, for the runtime of a function of the service. */
  addFile(
    id: string,
    entry: string,
    bundling: BundlingOptions,
    { runtime }: ServiceFunction,
  ): NodejsFunction {
    return new NodejsFunction(this, id, { entry, runtime, bundling });
  }

  /** Writes the bundles; returns where to find each. */
  write(): (lambda: NodejsFunction) => DeployedFunction {
    const { directory, stacks } = this.#app.synth();
    const { Resources } = stacks[0]!.template as { Resources: Readonly<Record<string, FunctionResource>> };
    return (lambda) => {
      const { Metadata, Properties } = Resources[this.getLogicalId(lambda.node.defaultChild as CfnElement)]!;
      return {
        file: join(directory, Metadata['aws:asset:path'], 'index.js'),
        nodeOptions: Properties.Environment?.Variables['NODE_OPTIONS'],
      };
    };
  }
}
