import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stageConfig } from '../../infra/stage/stage-config.ts';
import { type TableDefinition, TABLES } from '../../infra/stage/tables.ts';
import { shellLinesOf } from '../support/documents/documented-commands.ts';

/** Node.js before 22.18 cannot run TypeScript. npx puts the Node.js 24 of the packages first. */
const TYPESCRIPT_ON_THE_MACHINES_NODE = /(?<!npx )\bnode (?:-\S+ )*\S+\.ts\b/;

test.each(globSync(['*.md', 'docs/*.md', 'clients/*/*.md']))(
  'the commands of %s run TypeScript only on the Node.js of the packages',
  (path) => {
    const lines = shellLinesOf(readFileSync(path, 'utf8'));
    expect(lines.filter((line) => TYPESCRIPT_ON_THE_MACHINES_NODE.test(line))).toStrictEqual([]);
  },
);

test.each(globSync(['*.md', 'docs/*.md', 'clients/*/*.md']))(
  'the commands of %s deploy a stage that keeps data only with the check of its values',
  (path) => {
    const lines = shellLinesOf(readFileSync(path, 'utf8'));
    expect(lines.filter((line) => /cdk deploy\b.*stage=prod\b/.test(line))).toStrictEqual([]);
  },
);

test('the bootstrap of an account that has no stage yet needs no values of one', () => {
  const page = readFileSync('docs/operate.md', 'utf8');
  const stages = shellLinesOf(page).flatMap((line) => /cdk bootstrap -c stage=(\S+)/.exec(line)?.[1] ?? []);
  expect(stages).not.toStrictEqual([]);
  for (const stage of stages) expect(() => stageConfig({ stage })).not.toThrow();
});

test('a restored table gets its time to live again, unless it had none', () => {
  const page = readFileSync('docs/recover.md', 'utf8');
  const [, names = ''] = /((?:`\w+`(?:,|\sand)?\s+)+)have\sno\stime\sto\slive/.exec(page) ?? [];
  const without = Object.entries<TableDefinition>(TABLES).filter(([, { ttlAttribute }]) => !ttlAttribute);
  expect(new Set(names.match(/\w+(?=`)/g))).toStrictEqual(
    new Set(without.map(([kind]) => kind.charAt(0).toUpperCase() + kind.slice(1))),
  );
});
