import { execFileSync } from 'node:child_process';
import { ENV_NAMES } from '../../lib/env-names.ts';
import { type Bundle, makeBundles } from './bundles.ts';

// How long a cold start spends on importing each function, against a bundle of nothing but the SDK's document client as it
// comes, which is the floor of the bounds, and against the same client as it is deployed here, without the credential
// providers that Lambda does not need. Prints a table; exits 1 if a function is above one of the bounds.
const RATIO_MAX = 1.15;
const KILOBYTES_MAX = 450;

/** Odd, so that the median is a run; enough to see 2 percent on a machine that does other things too. */
const RUNS = 41;

/** Run by a fresh process each: nothing but the import is measured, not the start of Node.js. */
const MEASURE = `
  const startedAtMs = performance.now();
  require(process.argv[1]);
  const durationMs = performance.now() - startedAtMs;
  process.stdout.write(String(durationMs), () => process.exit());
`;

const FUNCTION_VARIABLES: Readonly<Record<keyof typeof ENV_NAMES, string>> = {
  stageName: 'bench',
  apiKeysTable: 'api-keys',
  productsTable: 'products',
  cartsTable: 'carts',
  liveCheckoutUrl: 'https://checkout.invalid',
  sandboxCheckoutUrl: 'https://checkout.invalid',
  cartExpirySeconds: '86400',
  cartRetentionSeconds: '2592000',
};

/** Nothing of the caller's environment, whose credentials and proxies would make the SDK do other work. */
const environment = (nodeOptions: string): NodeJS.ProcessEnv => ({
  AWS_REGION: 'eu-west-1',
  NODE_OPTIONS: nodeOptions,
  ...Object.fromEntries(
    Object.entries(FUNCTION_VARIABLES).map(([name, value]) => [
      ENV_NAMES[name as keyof typeof ENV_NAMES],
      value,
    ]),
  ),
});

const importMs = (file: string, env: NodeJS.ProcessEnv): number =>
  Number(execFileSync(process.execPath, ['-e', MEASURE, file], { env, encoding: 'utf8' }));

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Median import time by bundle, in milliseconds. The bundles take turns, forth and back, so that all see the same load. */
const measure = (bundles: readonly Bundle[], env: NodeJS.ProcessEnv): ReadonlyMap<Bundle, number> => {
  const times = new Map<Bundle, number[]>(bundles.map((bundle) => [bundle, []]));
  for (let run = 0; run < RUNS; run += 1) {
    for (const bundle of run % 2 === 0 ? bundles : bundles.toReversed()) {
      times.get(bundle)!.push(importMs(bundle.file, env));
    }
  }
  return new Map([...times].map(([bundle, values]) => [bundle, median(values)]));
};

const { floor, functions, parts, nodeOptions, remove } = makeBundles();
const medians = measure([floor, ...functions, ...parts], environment(nodeOptions));
remove();

const [deployedClient, ...additions] = parts;
const ratioOf = (bundle: Bundle, to = floor): number => medians.get(bundle)! / medians.get(to)!;
const row = (name: string, ...figures: readonly string[]): string =>
  `${name.padEnd(30)}${figures.map((figure) => figure.padStart(8)).join('')}`;

const figures = (bundle: Bundle): string[] => [
  bundle.kilobytes.toFixed(0),
  medians.get(bundle)!.toFixed(1),
  ratioOf(bundle).toFixed(3),
  ratioOf(bundle, deployedClient).toFixed(3),
];
const addedMs = (bundle: Bundle): number => medians.get(bundle)! - medians.get(deployedClient!)!;

const lines = [
  `Import of each bundle: median of ${RUNS} processes, Node.js ${process.versions.node}, NODE_OPTIONS=${nodeOptions || 'none'}`,
  row('bundle', 'KB', 'ms', 'floor', 'client', 'adds ms'),
  ...[floor, ...functions, deployedClient!].map((bundle) => row(bundle.name, ...figures(bundle))),
  ...additions.map((bundle) => row(bundle.name, ...figures(bundle), addedMs(bundle).toFixed(1))),
];
const faults = functions.flatMap((bundle) => [
  ...(ratioOf(bundle) > RATIO_MAX ? [`${bundle.name} takes more than ${RATIO_MAX} of the floor's time`] : []),
  ...(bundle.kilobytes > KILOBYTES_MAX ? [`${bundle.name} has more than ${KILOBYTES_MAX} KB`] : []),
]);
process.stdout.write(`${[...lines, ...faults].join('\n')}\n`);
if (faults.length > 0) process.exitCode = 1;
