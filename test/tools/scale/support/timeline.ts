/** Something that takes its course in simulated time: it yields the milliseconds that pass until it goes on. */
export type Process<Result = void> = Generator<number, Result, void>;

/** Simulated time, in which processes take turns: a discrete-event simulation. */
export interface Timeline {
  /** The present moment, in milliseconds; it moves only while the timeline runs. */
  nowMs(): number;
  start(process: Process): void;
  /** Runs until a moment, or until every process has ended. */
  run(untilMs?: number): void;
}

interface Turn {
  readonly atMs: number;
  /** Of two turns at one moment, the one that was planned first comes first: so that a run repeats exactly. */
  readonly number: number;
  readonly process: Process;
}

const isBefore = (a: Turn, b: Turn): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);

/** A binary heap: the earliest turn is the first. */
const push = (heap: Turn[], turn: Turn): void => {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent]!;
    if (!isBefore(turn, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = turn;
};

const shift = (heap: Turn[]): void => {
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
    if (child >= heap.length || !isBefore(heap[child]!, last)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = last;
};

export const createTimeline = (startMs: number): Timeline => {
  const heap: Turn[] = [];
  let nowMs = startMs;
  let planned = 0;

  const goOn = (process: Process): void => {
    const step = process.next();
    if (step.done) return;
    push(heap, { atMs: nowMs + step.value, number: planned, process });
    planned += 1;
  };

  return {
    nowMs: () => nowMs,
    start: goOn,
    run(untilMs = Infinity) {
      for (let next = heap[0]; next !== undefined && next.atMs <= untilMs; next = heap[0]) {
        nowMs = next.atMs;
        shift(heap);
        goOn(next.process);
      }
    },
  };
};
