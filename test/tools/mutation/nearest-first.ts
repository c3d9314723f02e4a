import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const commonPrefixLength = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
};

/**
 * Runs the tests of the mutated file first, then those of its folder. A run ends at the first test that fails, which is
 * usually one of these.
 */
export class NearestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, related = [] } = this.ctx.config;
    const mutated = relative(root, related[0] ?? root);
    // `test/` mirrors the folders that it tests.
    const nearness = ({ moduleId }: TestSpecification): number =>
      commonPrefixLength(relative(`${root}/test`, moduleId), mutated);
    return Promise.resolve(files.toSorted((a, b) => nearness(b) - nearness(a)));
  }
}
