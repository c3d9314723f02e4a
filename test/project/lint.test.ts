import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALLOWED, IMPORTED, REJECTED } from './lint-examples.ts';

interface Report {
  readonly number_of_files: number;
  readonly diagnostics: readonly { readonly code?: string; readonly filename: string }[];
}

interface Example {
  readonly name: string;
  readonly file: string;
  readonly source: string;
}

const examplesIn = (folder: string, sources: Readonly<Record<string, string>>, verb: string): Example[] =>
  Object.entries(sources).map(([name, source]) => ({
    name: `${folder} ${verb} ${name}`,
    file: `${folder}/${name.replaceAll(/[^a-z]+/g, '-')}.ts`,
    source,
  }));

const REJECTIONS = Object.entries(REJECTED).flatMap(([folder, rules]) =>
  Object.entries(rules).flatMap(([names, sources]) =>
    examplesIn(folder, sources, 'may not').map((example) => ({ ...example, rules: names.split(' ') })),
  ),
);
const [PERMISSIONS = [], IMPORTS = []] = [ALLOWED, IMPORTED].map((folders) =>
  Object.entries(folders).flatMap(([folder, sources]) => examplesIn(folder, sources, 'may')),
);
const ALL = [...REJECTIONS, ...PERMISSIONS, ...IMPORTS];

const PLUGINS = ['infra/lint/layers.ts'];

const CONFIGURATION = [
  '.oxlintrc.json',
  'package.json',
  'tsconfig.json',
  'infra/local/pages/browser/tsconfig.json',
  ...PLUGINS,
];

let project: string;
let report: Report;

/** Writes a project of the examples and this repository's configuration. */
const writeProject = (): void => {
  project = mkdtempSync(join(tmpdir(), 'lint-'));
  for (const name of CONFIGURATION) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    copyFileSync(name, join(project, name));
  }
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  for (const { file, source } of ALL) {
    const path = join(project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${source}\n`);
  }
};

const rulesFor = (file: string): string[] =>
  report.diagnostics
    .filter(({ filename }) => filename === file)
    .map(({ code = '' }) => code)
    .toSorted();

beforeAll(() => {
  writeProject();
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { lint: string } };
  expect(scripts.lint).toBe('oxlint');
  const oxlint = [resolve('node_modules/oxlint/bin/oxlint'), '--format=json'];
  const { status, stdout } = spawnSync(process.execPath, oxlint, { cwd: project, encoding: 'utf8' });
  expect(status).toBe(1);
  report = JSON.parse(stdout) as Report;
});

afterAll(() => rmSync(project, { recursive: true }));

test('npm run lint reads every file', () => {
  expect(report.number_of_files).toBe(ALL.length + PLUGINS.length);
});

test.each(REJECTIONS)('$name', ({ file, rules }) => {
  expect(rulesFor(file)).toStrictEqual(rules);
});

test.each(PERMISSIONS)('$name', ({ file }) => {
  expect(rulesFor(file)).toStrictEqual([]);
});
