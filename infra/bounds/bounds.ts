import type { FunctionName } from '../../functions/function-needs.ts';

/** The medians of `npm run bench -- init` for a function's bundle. */
interface BundleFigures {
  readonly kilobytes: number;
  /** The CPU time of its import, relative to the unmodified document client. */
  readonly importRatio: number;
  /** Whether it has clients of other AWS services. */
  readonly hasOtherClients?: true;
}

const BUNDLES: Readonly<Record<FunctionName, BundleFigures>> = {
  'create-cart-checkout': { kilobytes: 291, importRatio: 1.048 },
  'get-cart': { kilobytes: 277, importRatio: 0.978 },
  'expire-cart': { kilobytes: 283, importRatio: 0.997 },
  'list-events': { kilobytes: 276, importRatio: 0.973 },
  products: { kilobytes: 273, importRatio: 0.973 },
  'webhook-endpoints': { kilobytes: 355, importRatio: 1.183, hasOtherClients: true },
  'sandbox-checkout': { kilobytes: 303, importRatio: 0.992 },
  'record-payment': { kilobytes: 306, importRatio: 1.029, hasOtherClients: true },
  canary: { kilobytes: 237, importRatio: 0.884 },
  'fan-out-events': { kilobytes: 318, importRatio: 1.057, hasOtherClients: true },
  'run-timers': { kilobytes: 290, importRatio: 1.021, hasOtherClients: true },
  'deliver-webhooks': { kilobytes: 320, importRatio: 1.077, hasOtherClients: true },
};

/** Figures that hardly differ between runs: bytes, and ratios of programs that take turns. */
export interface Baseline {
  readonly measure: string;
  /** The highest value that the requirements allow, if they name one. */
  readonly ceiling?: number;
  /** The medians measured, by name. */
  readonly medians: Readonly<Record<string, number>>;
}

/** The medians of functions. */
const mediansOf = (
  valueOf: (bundle: BundleFigures) => number | undefined,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(BUNDLES).flatMap(([name, bundle]) => {
      const value = valueOf(bundle);
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** A value beyond this share of its median is a regression. */
const REGRESSION = 1.15;

/** The figures of `docs/performance.md` that have a bound. Update a median after a change that moves it for good. */
export const BASELINES = {
  imports: {
    measure: 'CPU time to import a function, relative to the unmodified document client',
    ceiling: 1.1,
    medians: mediansOf(({ importRatio, hasOtherClients }) => (hasOtherClients ? undefined : importRatio)),
  },
  importsWithClients: {
    measure: 'The same with clients of other AWS services',
    ceiling: 1.25,
    medians: mediansOf(({ importRatio, hasOtherClients }) => (hasOtherClients ? importRatio : undefined)),
  },
  sizes: {
    measure: "Size of a function's bundle, in KB",
    ceiling: 340,
    medians: mediansOf(({ kilobytes }) => kilobytes),
  },
  overhead: {
    measure: 'CPU time of a request, relative to a bare function',
    ceiling: 1,
    medians: { getCart: 0.963, createCartCheckout: 0.935 },
  },
  firstRequest: {
    measure: 'First request of an environment, relative to a bare function',
    ceiling: 0.25,
    medians: { getCart: 0.296, createCartCheckout: 0.305 },
  },
  coldStart: {
    measure: 'Init and first request together, relative to a bare function',
    ceiling: 1,
    medians: { getCart: 0.91, createCartCheckout: 0.95 },
  },
  bodies: {
    measure: 'Mean CPU time of the most expensive requests, relative to an ordinary one',
    medians: { 'new key': 4.836 },
  },
} as const satisfies Readonly<Record<string, Baseline>>;

/** The bound of a figure: 15 % above its median, and no more than a ceiling that the median meets. */
export const boundOf = ({ ceiling = Infinity, medians }: Baseline, name: string): number => {
  const median = medians[name];
  if (median === undefined) throw new Error(`infra/bounds/bounds.ts has no median of ${name}.`);
  const bound = REGRESSION * median;
  return median > ceiling ? bound : Math.min(bound, ceiling);
};

/** The most dollars of a million. `npm run bench` compares requests with measured bytes and milliseconds. */
export const DOLLARS_MAX = {
  createCartCheckout: 6.2,
  getCart: 4.95,
  payments: 9.95,
  deliveries: 4.3,
} as const;
