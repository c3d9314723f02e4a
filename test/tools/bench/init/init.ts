import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionName } from '../../../../functions/function-needs.ts';
import { type Baseline, BASELINES } from '../../../../infra/bounds/bounds.ts';
import { BUNDLE_FORMAT } from '../../../../infra/stack/functions/bundling.ts';
import { BundleStack } from '../../../support/stack/bundle-stack.ts';
import { type Effort, measureInTurn, median, medianRatio, type Report } from '../../report.ts';
import { checkBaseline } from '../support/baseline.ts';
import { functionEnvironment, makeTemporaryFolder } from '../support/environment.ts';

/**
 * Runs in a fresh process. It measures the import alone, without the start of Node.js. Its CPU time is nearly its time, and
 * hardly changes while other programs run.
 */
const MEASURE = `
  import { createRequire } from 'node:module';
  const [, file] = process.argv;
  const require = createRequire(file);
  const before = process.cpuUsage();
  await (file.endsWith('.mjs') ? import(file) : require(file));
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(String((user + system) / 1_000), () => process.exit());
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

const importsOf = ({ name }: Bundle): Baseline =>
  name in BASELINES.importsWithClients.medians ? BASELINES.importsWithClients : BASELINES.imports;

/** Bundles the unmodified document client, and all functions as they are deployed. */
const makeBundles = (): Bundle[] => {
  const stack = new BundleStack(makeTemporaryFolder());
  const functions = FUNCTION_NAMES.map((name) => ({ name, lambda: stack.addFunction(name) }));
  const clientFile = join(import.meta.dirname, 'document-client.ts');
  const client = stack.addFile('document-client', clientFile, BUNDLE_FORMAT, functions[0]!.lambda);
  const lambdas = [{ name: 'document client', lambda: client }, ...functions];
  const written = stack.write();
  return lambdas.map(({ name, lambda }) => {
    const { file, bundle } = written(lambda);
    return { name, file, kilobytes: statSync(bundle).size / 1_000 };
  });
};

const importCpuMs = (file: string, env: NodeJS.ProcessEnv): number =>
  Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', MEASURE, file], { env, encoding: 'utf8' }),
  );

/** Measures the CPU time to import each function at a cold start, relative to the SDK's document client alone. */
export const benchInit = async ({ isQuick }: Effort): Promise<Report> => {
  const bundles = makeBundles();
  // Odd, so that the median is a run. Enough to see 2 percent on a busy machine.
  const runs = isQuick ? 1 : 41;
  const env = functionEnvironment(NO_DATABASE);
  const times = await measureInTurn(bundles, runs, ({ file }) => importCpuMs(file, env));
  // By round, because a busy machine slows both down.
  const ratioOf = (bundle: Bundle): number => medianRatio(times.get(bundle)!, times.get(bundles[0]!)!);
  const toRow = (bundle: Bundle): string[] => [
    bundle.name,
    bundle.kilobytes.toFixed(0),
    median(times.get(bundle)!).toFixed(1),
    ratioOf(bundle).toFixed(3),
  ];
  const judge = (bundle: Bundle) => [
    ...checkBaseline(importsOf(bundle), bundle.name, ratioOf(bundle)),
    ...checkBaseline(BASELINES.sizes, bundle.name, bundle.kilobytes),
  ];
  return {
    title: 'Cold start: CPU time of the import of each bundle',
    method: `Medians of ${runs} alternating processes each.`,
    columns: ['bundle', 'KB', 'CPU ms', 'of client'],
    rows: bundles.map(toRow),
    verdicts: bundles.slice(1).flatMap(judge),
  };
};
