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
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALLOWED, type Example, IMPORTED, REJECTED } from './lint-examples.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Report {
  readonly number_of_files: number;
  readonly diagnostics: readonly { readonly code?: string; readonly filename: string }[];
}

const fileOf = ([name, folder]: Example): string => `${folder}/${name.replaceAll(/[^a-z]+/g, '-')}.ts`;

/** A project of the examples alone, under this repository's own configuration. */
const givenProject = (examples: readonly Example[]): string => {
  const project = mkdtempSync(join(tmpdir(), 'lint-'));
  for (const name of ['.oxlintrc.json', 'package.json', 'tsconfig.json']) {
    copyFileSync(join(ROOT, name), join(project, name));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  for (const example of examples) {
    const path = join(project, fileOf(example));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${example[2]}\n`);
  }
  return project;
};

/** Runs what `npm run lint` runs. */
const lint = (project: string): { exitCode: number | null; report: Report } => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [command, ...flags] = scripts.lint.split(' ');
  expect(command).toBe('oxlint');
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const { status, stdout } = spawnSync(process.execPath, [oxlint, ...flags, '--format=json'], {
    cwd: project,
    encoding: 'utf8',
  });
  return { exitCode: status, report: JSON.parse(stdout) };
};

describe('npm run lint', () => {
  const refusals = Object.entries(REJECTED).flatMap(([rule, examples]) =>
    examples.map((example) => ({ guarantee: example[0], rule, file: fileOf(example) })),
  );
  const permissions = ALLOWED.map((example) => ({ permission: example[0], file: fileOf(example) }));
  const all = [...Object.values(REJECTED).flat(), ...ALLOWED, ...IMPORTED];
  let project: string;
  let outcome: ReturnType<typeof lint>;

  const rulesFor = (file: string): (string | undefined)[] =>
    outcome.report.diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code);

  beforeAll(() => {
    project = givenProject(all);
    outcome = lint(project);
  });
  afterAll(() => rmSync(project, { recursive: true }));

  it('reads every file and fails', () => {
    expect(outcome.report.number_of_files).toBe(all.length);
    expect(outcome.exitCode).toBe(1);
  });

  it.each(refusals)('$guarantee', ({ file, rule }) => {
    expect(rulesFor(file)).toEqual([rule]);
  });

  it.each(permissions)('$permission', ({ file }) => {
    expect(rulesFor(file)).toEqual([]);
  });
});
