import { atMost, goal, type Verdict } from './report.ts';

/** Figures that hardly differ between runs: bytes, and ratios of programs that take turns. */
export interface Steady {
  readonly measure: string;
  /** The highest value that the requirements allow, if they name one. */
  readonly ceiling?: number;
  /** The medians measured, by name. */
  readonly medians: Readonly<Record<string, number>>;
}

/** A value beyond this share of its median is a regression. */
const REGRESSION = 1.15;

/** The figures of `docs/performance.md` that have a bound. Update a median after a change that moves it for good. */
export const STEADY = {
  imports: {
    measure: 'CPU time to import a function, relative to the unmodified document client',
    ceiling: 1.1,
    medians: {
      canary: 0.89,
      'create-cart-checkout': 1.048,
      'get-cart': 0.958,
      'get-payment-cart': 0.903,
      'list-events': 0.97,
      'record-payment': 0.97,
      'sandbox-checkout': 0.961,
    },
  },
  importsWithClients: {
    measure: 'The same with a client of SQS or EventBridge',
    ceiling: 1.25,
    medians: { 'deliver-webhooks': 1.099, 'fan-out-events': 1.004, 'run-due': 1.037 },
  },
  sizes: {
    measure: "Size of a function's bundle, in KB",
    ceiling: 340,
    medians: {
      canary: 233,
      'create-cart-checkout': 271,
      'deliver-webhooks': 317,
      'fan-out-events': 290,
      'get-cart': 256,
      'get-payment-cart': 245,
      'list-events': 259,
      'record-payment': 253,
      'run-due': 281,
      'sandbox-checkout': 278,
    },
  },
  overhead: {
    measure: 'CPU time of a request, relative to a bare function',
    ceiling: 1,
    medians: { getCart: 1.109, createCartCheckout: 1.166 },
  },
  firstRequest: {
    measure: 'First request of an environment, relative to a bare function',
    ceiling: 0.25,
    medians: { getCart: 0.307, createCartCheckout: 0.363 },
  },
  limits: {
    measure: 'CPU time of a rate-limit decision, relative to rate-limiter-flexible',
    medians: { idle: 1.21, busy: 0.56, exhausted: 0.7 },
  },
  bodies: {
    measure: 'Mean CPU time of the most expensive requests, relative to an ordinary one',
    medians: { 'new key': 4.9 },
  },
} as const satisfies Readonly<Record<string, Steady>>;

/** The bound of a steady figure: 15 % above its median, and no more than a ceiling that the median meets. */
export const boundOf = ({ ceiling = Infinity, medians }: Steady, name: string): number => {
  const median = medians[name];
  if (median === undefined) throw new Error(`test/tools/bench/support/steady.ts has no median of ${name}.`);
  const bound = REGRESSION * median;
  return median > ceiling ? bound : Math.min(bound, ceiling);
};

/** Judges a value by its bound. A ceiling that the median misses is a goal. */
export const judgeSteady = (steady: Steady, name: string, value: number): Verdict[] => {
  const { measure, ceiling = Infinity, medians } = steady;
  const bound = boundOf(steady, name);
  const subject = `${measure}, ${name}: at most`;
  return [
    atMost(`${subject} ${bound.toFixed(3)}, with a median of ${medians[name]}`, value, bound),
    ...(ceiling < bound ? [goal(atMost(`${subject} ${ceiling}`, value, ceiling))] : []),
  ];
};
