import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import { EVENT_FUNCTIONS } from '../../../../functions/operations.ts';
import type { FunctionName } from '../../../../infra/stack/concurrency.ts';
import { BUNDLE_FORMAT, BUNDLING } from '../../../../infra/stack/bundling.ts';
import { BundleStack } from '../../../support/bundle-stack.ts';
import { functionEnvironment, makeTemporaryFolder } from '../support/environment.ts';
import { atMost, type Effort, measureInTurn, median, type Report, type Verdict } from '../support/report.ts';

const RATIO_MAX = 1.1;

/** The bound of a function that also has a client of SQS or EventBridge. */
const RATIO_MAX_WITH_CLIENTS = 1.25;

/** The variables of such a function. */
const RECEIVERS = new Set(['eventBusName', 'deliveryQueueUrl', 'setAsideQueueUrl']);

const ratioMaxOf = (name: string): number => {
  const functions: Readonly<Record<string, { readonly variables: readonly string[] }>> = EVENT_FUNCTIONS;
  const variables = functions[name]?.variables ?? [];
  return variables.some((variable) => RECEIVERS.has(variable)) ? RATIO_MAX_WITH_CLIENTS : RATIO_MAX;
};

const KILOBYTES_MAX = 340;

/** Runs in a fresh process. It measures the import alone, without the start of Node.js. */
const MEASURE = `
  import { createRequire } from 'node:module';
  const [, file] = process.argv;
  const require = createRequire(file);
  const startedAtMs = performance.now();
  await (file.endsWith('.mjs') ? import(file) : require(file));
  const durationMs = performance.now() - startedAtMs;
  process.stdout.write(String(durationMs), () => process.exit());
`;

/** An import needs no database. A read that it starts fails after the measurement. */
const NO_DATABASE = 'http://127.0.0.1:1';

interface Bundle {
  readonly name: string;
  /** The bundle's one JavaScript file. Its source map is beside it. */
  readonly file: string;
  readonly kilobytes: number;
}

const FUNCTION_NAMES = readdirSync(join(import.meta.dirname, '../../../../functions')).filter(
  (name) => !name.endsWith('.ts'),
) as FunctionName[];

/** Bundles the document client with the SDK's defaults, all functions, and the own client as they are deployed. */
const makeBundles = (): Bundle[] => {
  const stack = new BundleStack(makeTemporaryFolder());
  const functions = FUNCTION_NAMES.map((name) => ({ name, lambda: stack.addFunction(name) }));
  const first = functions[0]!.lambda;
  const addClient = (name: string, file: string, bundling: BundlingOptions) => {
    const path = join(import.meta.dirname, file);
    return { name, lambda: stack.addFile(name.replaceAll(/\W+/g, '-'), path, bundling, first) };
  };
  const lambdas = [
    addClient('document client', 'document-client.ts', BUNDLE_FORMAT),
    ...functions,
    addClient('own client', 'own-client.ts', BUNDLING),
  ];
  const written = stack.write();
  return lambdas.map(({ name, lambda }) => {
    const { file, bundle } = written(lambda);
    return { name, file, kilobytes: statSync(bundle).size / 1_000 };
  });
};

const importMs = (file: string, env: NodeJS.ProcessEnv): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', MEASURE, file], { env, encoding: 'utf8' }),
  );

/** Measures the import of each function at a cold start, relative to the SDK's document client alone. */
export const benchInit = async ({ isQuick }: Effort): Promise<Report> => {
  const bundles = makeBundles();
  // Odd, so that the median is a run. Enough to see 2 percent on a busy machine.
  const runs = isQuick ? 1 : 41;
  const env = functionEnvironment(NO_DATABASE);
  const times = await measureInTurn(bundles, runs, ({ file }) => importMs(file, env));
  const medianOf = (bundle: Bundle): number => median(times.get(bundle)!);
  const floorMs = medianOf(bundles[0]!);
  const clientMs = medianOf(bundles.at(-1)!);
  const toRow = (bundle: Bundle): string[] => [
    bundle.name,
    bundle.kilobytes.toFixed(0),
    medianOf(bundle).toFixed(1),
    (medianOf(bundle) / floorMs).toFixed(3),
    (medianOf(bundle) / clientMs).toFixed(3),
  ];
  const judge = (bundle: Bundle): Verdict[] => {
    const { name, kilobytes } = bundle;
    const ratio = medianOf(bundle) / floorMs;
    const ratioMax = ratioMaxOf(name);
    return [
      atMost(`${name}: import at most ${ratioMax} of the document client's`, ratio, ratioMax),
      atMost(`${name}: at most ${KILOBYTES_MAX} KB`, kilobytes, KILOBYTES_MAX, kilobytes.toFixed(0)),
    ];
  };
  return {
    title: 'Cold start: import of each bundle',
    method: `Medians of ${runs} alternating processes each.`,
    columns: ['bundle', 'KB', 'ms', 'of client', 'of own client'],
    rows: bundles.map(toRow),
    verdicts: bundles.slice(1, -1).flatMap(judge),
  };
};
