import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shellLinesOf } from './commands.ts';

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
