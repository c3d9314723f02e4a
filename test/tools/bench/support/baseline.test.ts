import { isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { type Baseline, BASELINES } from '../../../../infra/bounds/bounds.ts';
import { BUNDLING } from '../../../../infra/stack/functions/bundling.ts';
import { fails, reportText } from '../../report.ts';
import { checkBaseline } from './baseline.ts';

const judge = (baseline: Pick<Baseline, 'ceiling'>, value: number) =>
  checkBaseline({ measure: 'Bytes', medians: { a: 100 }, ...baseline }, 'a', value);

const linesOf = (verdicts: ReturnType<typeof judge>): string[] =>
  reportText({ title: '', method: '', columns: [], rows: [], verdicts }).split('\n').slice(4, -1);

test.each([
  ['no ceiling', {}, 115],
  ['a ceiling above the bound', { ceiling: 120 }, 115],
  ['a ceiling that the median meets', { ceiling: 105 }, 105],
  ['a ceiling that the median misses', { ceiling: 90 }, 115],
])('with %s, a figure fails above its bound', (_, baseline, bound) => {
  expect(fails({ verdicts: judge(baseline, bound - 0.01) })).toBe(false);
  expect(fails({ verdicts: judge(baseline, bound + 0.01) })).toBe(true);
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
  const verdicts = checkBaseline({ measure: 'Bytes', medians: {} }, 'a', 1);
  expect(linesOf(verdicts)).toStrictEqual([
    'MISSED Bytes, a: at most its median, which infra/bounds/bounds.ts lacks: 1.000',
  ]);
  expect(fails({ verdicts })).toBe(true);
});

/** The bundle of each function, as the stack has it, without the CDK and its process for each function. */
const buildBundles = () => {
  const { format, mainFields, minify, esbuildArgs } = BUNDLING;
  const flag = '--external:';
  return build({
    entryPoints: Object.keys(BASELINES.sizes.medians).map((name) => ({
      in: `functions/${name}/handler.ts`,
      out: name,
    })),
    alias: {
      '@aws-sdk/credential-provider-node': esbuildArgs['--alias:@aws-sdk/credential-provider-node'],
    },
    bundle: true,
    external: Object.keys(esbuildArgs)
      .filter((name) => name.startsWith(flag))
      .map((name) => name.slice(flag.length)),
    format,
    mainFields: [...mainFields],
    metafile: true,
    minify,
    outdir: '.',
    platform: 'node',
    write: false,
  });
};

test("each function's bundle needs no module but those of Node.js, and its median size is its size, to 5 %", async () => {
  const { outputFiles, metafile } = await buildBundles();
  // On Lambda, a bundle has no `node_modules` beside it.
  const missing = Object.entries(metafile.outputs).flatMap(([bundle, { imports }]) =>
    imports.filter(({ path }) => !isBuiltin(path)).map(({ path }) => [bundle, path]),
  );
  expect(missing).toStrictEqual([]);

  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [basename(path, '.js'), contents.length / 1_000]),
  );
  const wrong = Object.entries(BASELINES.sizes.medians).filter(
    ([name, median]) => !(Math.abs(sizes.get(name)! / median - 1) <= 0.05),
  );
  expect(wrong, 'Correct infra/bounds/bounds.ts by npm run bench -- init').toStrictEqual([]);
});
