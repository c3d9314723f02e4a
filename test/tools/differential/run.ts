import fc from 'fast-check';
import { type Finding, findDifference, findingText, sequences, type Sequence, Tally } from './sequences.ts';
import { startSides } from './sides.ts';

export interface RunOptions {
  /** The endpoint of the database. */
  readonly database: string;
  /** The smallest number of calls to compare. */
  readonly calls: number;
  readonly seed: number;
  /** The number of sequences of calls that share a seed. After each group, the run checks its counts. */
  readonly sequencesPerSeed?: number;
  /** The time at which the run gives up, in ms since 1970. */
  readonly endsAtMs: number;
  readonly onProgress?: (tally: Tally) => void;
}

export interface RunResult {
  readonly tally: Tally;
  /** The smallest sequence of calls on which the clients differ, with its differences. `undefined` if there is none. */
  readonly difference: string | undefined;
}

/** The part of a second that both clients wait before a retry, in place of a random one. */
const RANDOM = 0.05;

/**
 * Makes both clients wait equally long between attempts: their pauses are random. Most calls throw, so errors have no
 * stack: this saves 14 % of the processor time. Returns the way back.
 */
const fixProcess = (): (() => void) => {
  const { random } = Math;
  const { stackTraceLimit } = Error;
  Math.random = () => RANDOM;
  Error.stackTraceLimit = 0;
  return () => {
    Math.random = random;
    Error.stackTraceLimit = stackTraceLimit;
  };
};

const checkSeed = async (
  seed: number,
  find: (sequence: Sequence) => Promise<Finding | undefined>,
  { endsAtMs, sequencesPerSeed = 20 }: RunOptions,
): Promise<string | undefined> => {
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const finding = await find(sequence);
    if (finding) throw new Error(findingText(finding));
  });
  const details = await fc.check(property, {
    seed,
    numRuns: sequencesPerSeed,
    // It also ends a long search for a smaller case.
    plugins: [fc.interruptAfterTimeLimit(Math.max(1, endsAtMs - Date.now()))],
  });
  if (!details.failed || details.counterexample === null) return undefined;
  const [sequence] = details.counterexample as [Sequence];
  const error = details.errorInstance;
  const message = error instanceof Error ? error.message : String(error);
  return `seed ${seed}, shrunk ${details.numShrinks} times\n${fc.stringify(sequence)}\n${message}`;
};

/** Compares both clients in generated sequences of calls, until the calls are made, the time ends, or they differ. */
export const runDifferential = async (options: RunOptions): Promise<RunResult> => {
  const { database, calls, seed, endsAtMs, onProgress } = options;
  const sides = await startSides(database);
  const restoreProcess = fixProcess();
  const tally = new Tally();
  try {
    for (let group = 0; tally.calls < calls && Date.now() < endsAtMs; group += 1) {
      const find = (sequence: Sequence) => findDifference(sides, sequence, tally);
      const difference = await checkSeed(seed + group, find, options);
      if (difference !== undefined) return { tally, difference };
      onProgress?.(tally);
    }
    return { tally, difference: undefined };
  } finally {
    restoreProcess();
    await sides.close();
  }
};
