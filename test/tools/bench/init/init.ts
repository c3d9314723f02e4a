import { execFileSync } from 'node:child_process';
import { functionEnvironment } from '../support/environment.ts';
import type { Effort, Report, Verdict } from '../support/report.ts';
import { median } from '../support/statistics.ts';
import { type Bundle, makeBundles } from './bundles.ts';

const RATIO_MAX = 1.15;
const KILOBYTES_MAX = 450;

/** Run by a fresh process each: nothing but the import is measured, not the start of Node.js. */
const MEASURE = `
  const startedAtMs = performance.now();
  require(process.argv[1]);
  const durationMs = performance.now() - startedAtMs;
  process.stdout.write(String(durationMs), () => process.exit());
`;

/** A client connects when it is first used, which an import is not. */
const NO_DATABASE = 'http://127.0.0.1:1';

const importMs = (file: string, env: NodeJS.ProcessEnv): number =>
  Number(execFileSync(process.execPath, ['-e', MEASURE, file], { env, encoding: 'utf8' }));

/** Median import time by bundle, in milliseconds. The bundles take turns, forth and back, so that all see the same load. */
const measure = (bundles: readonly Bundle[], nodeOptions: string, runs: number): Map<Bundle, number> => {
  const env = { ...functionEnvironment(NO_DATABASE), NODE_OPTIONS: nodeOptions };
  const times = new Map<Bundle, number[]>(bundles.map((bundle) => [bundle, []]));
  for (let run = 0; run < runs; run += 1) {
    for (const bundle of run % 2 === 0 ? bundles : bundles.toReversed()) {
      times.get(bundle)!.push(importMs(bundle.file, env));
    }
  }
  return new Map([...times].map(([bundle, values]) => [bundle, median(values)]));
};

/**
 * How long a cold start spends on importing each function, against a bundle of nothing but the SDK's document client as it
 * comes, which is the floor of the bounds, and against the same client as it is deployed here, without the credential
 * providers that Lambda does not need.
 */
export const benchInit = async ({ isQuick }: Effort): Promise<Report> => {
  const { floor, functions, deployedClient, additions, nodeOptions } = makeBundles();
  const all = [floor, ...functions, deployedClient, ...additions];
  // Odd, so that the median is a run; enough to see 2 percent on a machine that does other things too.
  const runs = isQuick ? 1 : 41;
  const medians = measure(all, nodeOptions, runs);
  const ratioOf = (bundle: Bundle, to: Bundle): number => medians.get(bundle)! / medians.get(to)!;
  const toRow = (bundle: Bundle): string[] => [
    bundle.name,
    bundle.kilobytes.toFixed(0),
    medians.get(bundle)!.toFixed(1),
    ratioOf(bundle, floor).toFixed(3),
    ratioOf(bundle, deployedClient).toFixed(3),
    additions.includes(bundle) ? (medians.get(bundle)! - medians.get(deployedClient)!).toFixed(1) : '',
  ];
  const judge = (bundle: Bundle): Verdict[] => [
    {
      bound: `${bundle.name}: import at most ${RATIO_MAX} of the document client's`,
      measured: ratioOf(bundle, floor).toFixed(3),
      ok: ratioOf(bundle, floor) <= RATIO_MAX,
    },
    {
      bound: `${bundle.name}: at most ${KILOBYTES_MAX} KB`,
      measured: bundle.kilobytes.toFixed(0),
      ok: bundle.kilobytes <= KILOBYTES_MAX,
    },
  ];
  return {
    title: `Cold start: import of each bundle, with NODE_OPTIONS=${nodeOptions || 'none'}`,
    method: `Medians of ${runs} processes each, in turns. "adds" is what one thing more adds to the client as it is deployed.`,
    columns: ['bundle', 'KB', 'ms', 'of client', 'of client as deployed', 'adds ms'],
    rows: all.map(toRow),
    verdicts: functions.flatMap(judge),
  };
};
