/** Collects the resources to close when a stage ends. Node.js 22, which the package supports, has no `AsyncDisposableStack`. */
export interface CleanUp {
  readonly defer: (close: () => unknown) => void;
  /** Closes each resource that is still open, the latest first, even if another one fails to close. */
  readonly run: () => Promise<void>;
}

export const createCleanUp = (): CleanUp => {
  const closers: (() => unknown)[] = [];
  const run = async (): Promise<void> => {
    const close = closers.pop();
    if (!close) return;
    try {
      await close();
    } finally {
      await run();
    }
  };
  return { defer: (close) => void closers.push(close), run };
};
