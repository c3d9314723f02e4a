import { execFileSync } from 'node:child_process';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { FULL_CONTEXT } from '../../../../infra/example-stages/contexts.ts';
import { RELEASE } from '../../../../infra/example-stages/synthesise.ts';
import { currentCommit, currentRelease } from '../../../../infra/stage/release.ts';
import { stageConfig } from '../../../../infra/stage/stage-config.ts';
import { stageValues } from '../../../../infra/stage/stage-values.ts';
import { TABLE_KINDS } from '../../../../lib/database/tables.ts';
import { givenDatabase } from '../../../support/database/database.ts';
import { givenOperatedTables } from '../../../support/operators/deployed-stage.ts';

const { tableNames } = await givenDatabase(TABLE_KINDS);
const stage = await givenOperatedTables(tableNames);

afterAll(stage.close);

const CONTEXT = {
  ...FULL_CONTEXT,
  stage: 'one',
  tags: 'team=shop,owner=Ada L',
  alarmEmail: "o'neil@example.com",
};
const VALUES = stageValues(CONTEXT, stageConfig(CONTEXT));

const deploy = (outputs: Readonly<Record<string, string>>): void =>
  void stage.cloudFormation.stacks.set('CartCheckout-one', {
    status: 'UPDATE_COMPLETE',
    outputs: { ...stage.outputs, ...outputs },
  });

beforeEach(() => deploy({ StageValues: JSON.stringify(VALUES), Release: JSON.stringify(RELEASE) }));

test('the stage shows its release, every value, and the command that deploys it again', async () => {
  const { stdout } = await stage.run(['stages', 'show', '--json']);
  const { values, command, ...shown } = JSON.parse(stdout) as {
    values: { name: string; value: string; isGiven: boolean }[];
    command: string;
  };
  expect(shown).toStrictEqual({ stage: 'one', ...RELEASE, deployedAt: '2026-01-15T12:30:00.000Z' });
  const part = (isGiven: boolean) =>
    Object.fromEntries(
      values.filter((each) => each.isGiven === isGiven).map(({ name, value }) => [name, value]),
    );
  expect(part(true)).toStrictEqual(VALUES.given);
  expect(part(false)).toStrictEqual(VALUES.default);
  // A shell splits the command into the same values.
  const [, flags = ''] = command.split(/^npm run deploy -- /);
  const words = execFileSync('bash', ['-c', `printf '%s\\0' ${flags}`], { encoding: 'utf8' });
  const given = words.split('\0').filter((word) => word !== '' && word !== '-c');
  expect(given).toStrictEqual(['stage=one', ...Object.entries(VALUES.given).map((value) => value.join('='))]);
});

test('a person reads the same', async () => {
  const { stdout } = await stage.run(['stages', 'show']);
  expect(stdout).toMatch(
    /^The stage one has version 1\.2\.3, commit 3f8dc76d\w{32} of 2026-11-20T14:00:00\.000Z\.$/m,
  );
  expect(stdout).toMatch(/^Deployed by ada, changed at 2026-01-15 12:30 UTC\.$/m);
  expect(stdout).toMatch(/^personalDataDays +stated +90$/m);
  expect(stdout).toMatch(/^protected +default +false$/m);
});

test.each(['', 'x', 'null', '{"commit":1}'])(
  'a command works on a stage whose release is %j',
  async (Release) => {
    deploy({ Release });
    expect(await stage.run(['keys', 'list', '--json'])).toMatchObject({ exitCode: 0, stderr: '' });
  },
);

test.each([
  [
    'of another commit',
    RELEASE.commit,
    /^Warning: the stage one runs the commit 3f8dc76d\w+, and these commands are of \w+/,
  ],
  ['of the same commit', String(currentCommit()), /^$/],
  ['of the same commit with changes', `${currentCommit()}-dirty`, /^$/],
])('a command on a stage %s says so on standard error, and works', async (_what, commit, stderr) => {
  deploy({ Release: JSON.stringify({ ...RELEASE, commit }) });
  const ended = await stage.run(['keys', 'list', '--json']);
  expect(ended).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(stderr) });
});

test('the release of this checkout has its commit, and its time in UTC', () => {
  const release = currentRelease();
  expect(release.commit).toMatch(/^[0-9a-f]{40}(?:-dirty)?$/);
  expect(release.commit.startsWith(String(currentCommit()))).toBe(true);
  expect(new Date(release.committedAt).toISOString()).toBe(release.committedAt);
});
