import { join } from 'node:path';
import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { ENV_NAMES } from '../lib/env-names.ts';
import { FUNCTION_TIMEOUT_MS, type FunctionName, ROUTES } from './routes.ts';
import { type TableDefinition, TABLES } from './tables.ts';

const FUNCTIONS_FOLDER = join(import.meta.dirname, '../functions');

/** The tables and functions of one stage. */
export class CartCheckoutStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const apiKeys = this.#table('ApiKeys', TABLES.apiKeys);
    const products = this.#table('Products', TABLES.products);
    const carts = this.#table('Carts', TABLES.carts);
    const environment = {
      [ENV_NAMES.apiKeysTable]: apiKeys.tableName,
      [ENV_NAMES.productsTable]: products.tableName,
      [ENV_NAMES.cartsTable]: carts.tableName,
      [ENV_NAMES.liveCheckoutUrl]: 'https://checkout.example.com',
      [ENV_NAMES.sandboxCheckoutUrl]: 'https://checkout.example.com/sandbox/checkout',
      [ENV_NAMES.cartExpirySeconds]: String(24 * 3_600),
      [ENV_NAMES.cartRetentionSeconds]: String(30 * 86_400),
    };
    for (const { functionName } of ROUTES) this.#function(functionName, environment);
  }

  #table(id: string, { partitionKey, ttlAttribute }: TableDefinition): TableV2 {
    return new TableV2(this, id, {
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      ...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }

  #function(name: FunctionName, environment: Record<string, string>): NodejsFunction {
    return new NodejsFunction(this, name, {
      entry: join(FUNCTIONS_FOLDER, `${name}.ts`),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      timeout: Duration.millis(FUNCTION_TIMEOUT_MS),
      environment,
      // CommonJS starts faster than ESM; a bundled SDK starts faster than the runtime's own.
      bundling: { format: OutputFormat.CJS, minify: true, sourceMap: true, bundleAwsSDK: true },
    });
  }
}
