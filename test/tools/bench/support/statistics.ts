/** The value below which a share of the values lies: the nearest rank. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Median of the ratios of values that were measured one right after the other, so that both saw the same machine. */
export const medianRatio = (values: readonly number[], references: readonly number[]): number =>
  median(values.map((value, index) => value / (references[index] ?? Number.NaN)));
