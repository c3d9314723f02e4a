import { basename } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { BUNDLING } from '../../../../infra/stack/bundling.ts';
import { fails, reportText } from '../../report.ts';
import { judgeSteady } from './steady.ts';
import { type Steady, STEADY } from '../../../../infra/cost/performance-bounds.ts';

const judge = (steady: Pick<Steady, 'ceiling'>, value: number) =>
  judgeSteady({ measure: 'Bytes', medians: { a: 100 }, ...steady }, 'a', value);

const linesOf = (verdicts: ReturnType<typeof judge>): string[] =>
  reportText({ title: '', method: '', columns: [], rows: [], verdicts }).split('\n').slice(4, -1);

test.each([
  ['no ceiling', {}, 115],
  ['a ceiling above the bound', { ceiling: 120 }, 115],
  ['a ceiling that the median meets', { ceiling: 105 }, 105],
  ['a ceiling that the median misses', { ceiling: 90 }, 115],
])('with %s, a steady figure fails above its bound', (_, steady, bound) => {
  expect(fails({ verdicts: judge(steady, bound - 0.01) })).toBe(false);
  expect(fails({ verdicts: judge(steady, bound + 0.01) })).toBe(true);
});

test('a missed ceiling is printed as missed, and fails no command', () => {
  const verdicts = judge({ ceiling: 90 }, 101);
  expect(linesOf(verdicts)).toStrictEqual([
    'ok     Bytes, a: at most 115.000, with a median of 100: 101.000',
    'MISSED goal: Bytes, a: at most 90: 101.000',
  ]);
  expect(fails({ verdicts })).toBe(false);
});

test('a figure without a median is printed, and fails', () => {
  const verdicts = judgeSteady({ measure: 'Bytes', medians: {} }, 'a', 1);
  expect(linesOf(verdicts)).toStrictEqual([
    'MISSED Bytes, a: at most its median, which infra/cost/performance-bounds.ts lacks: 1.000',
  ]);
  expect(fails({ verdicts })).toBe(true);
});

test("the median size of each function's bundle is its size, to 5 %", async () => {
  const { format, mainFields, minify, esbuildArgs } = BUNDLING;
  const { medians } = STEADY.sizes;
  // As `npm run bench -- init`, without the CDK and its process for each function.
  const { outputFiles } = await build({
    entryPoints: Object.keys(medians).map((name) => ({ in: `functions/${name}/handler.ts`, out: name })),
    alias: {
      '@aws-sdk/credential-provider-node': esbuildArgs['--alias:@aws-sdk/credential-provider-node'],
    },
    bundle: true,
    format,
    mainFields: [...mainFields],
    minify,
    outdir: '.',
    platform: 'node',
    write: false,
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path, '.js'), contents.length / 1_000]),
  );
  const wrong = Object.entries(medians).filter(
    ([name, median]) => !(Math.abs(sizes.get(name)! / median - 1) <= 0.05),
  );
  expect(wrong, 'Correct infra/cost/performance-bounds.ts by npm run bench -- init').toStrictEqual([]);
});
