/** The parsed log lines that this process writes while `run` runs. Run nothing else at the same time. */
export const logged = async (run: () => Promise<unknown>): Promise<Record<string, unknown>[]> => {
  const { write } = process.stdout;
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += String(chunk);
    return (write as (...args: unknown[]) => boolean).call(process.stdout, chunk, ...rest);
  };
  try {
    await run();
  } finally {
    process.stdout.write = write;
  }
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
};
