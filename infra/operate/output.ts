/** Prints a result on standard output: one line of JSON, or lines for a person. */
export const print = (isJson: boolean, result: object, lines: readonly string[]): void => {
  process.stdout.write(`${isJson ? JSON.stringify(result) : lines.join('\n')}\n`);
};
