import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { MINISTACK_VERSION } from '../support/deploy/emulator.ts';
import { givenDeadAddress } from '../support/http/addresses.ts';
import { installPythonPackage } from '../support/programs/python-package.ts';
import { userEnvironment } from './support/environment.ts';
import { compare, type Step, stepsIn } from './support/page.ts';
import { startShell } from './support/shell.ts';

const FILE = 'docs/tour.md';
const PAGE = readFileSync(FILE, 'utf8');
const STEPS = stepsIn(PAGE);

/** The reason why the emulator cannot be installed, if there is one. In CI, it fails the run. */
const missing = await installPythonPackage('ministack', MINISTACK_VERSION).then(
  () => undefined,
  (error: Error) => {
    if (process.env['CI']) throw error;
    return error.message;
  },
);
if (missing !== undefined) process.stdout.write(`Does not run ${FILE}: ${missing}\n`);

/** Replaces the ports of the page by free ones, in its first block and in its outputs. */
const withFreePorts = async (page: string): Promise<string> => {
  const chosen = [...page.matchAll(/\w+_PORT=(\d+)/g)].map(([, port]) => String(port));
  let replaced = page;
  for (const port of chosen) {
    const free = new URL(await givenDeadAddress()).port;
    replaced = replaced.replaceAll(new RegExp(`(_PORT=|127\\.0\\.0\\.1:)${port}\\b`, 'g'), `$1${free}`);
  }
  return replaced;
};

/**
 * Runs the page in one shell, from top to bottom, and prints how long each step takes. Returns the titles of the steps. The
 * test's timeout ends the wait for a process that the page does not end.
 */
const runPage = async (): Promise<readonly string[]> => {
  const steps = stepsIn(await withFreePorts(PAGE));
  const shell = startShell(userEnvironment());
  onTestFinished(() => shell.stop());
  const values = new Map<string, string>();
  const runStep = async ({ title, blocks }: Step): Promise<void> => {
    const startedAtMs = Date.now();
    for (const { commands, output: shown = '' } of blocks) {
      const { output, exitCode } = await shell.run(commands);
      compare(shown, output, values);
      expect(exitCode, `${title}: ${output}`).toBe(0);
    }
    process.stdout.write(`${title}: ${((Date.now() - startedAtMs) / 1_000).toFixed(1)} s\n`);
  };
  for (const step of steps) await runStep(step);
  await shell.end();
  return steps.map(({ title }) => title);
};

test('the page has these steps, in this order', () => {
  expect(STEPS.map(({ title }) => title.replace(/^\d+\. /, ''))).toStrictEqual([
    'Prepare',
    'Start',
    'Receive',
    'Create',
    'Pay',
    'The webhook',
    'The feed',
    'A rate limit',
    'Replay',
    'Rotate',
    'Erase',
    'Deploy',
    'Destroy',
  ]);
  expect(STEPS.map(({ title }) => Number.parseInt(title, 10))).toStrictEqual(STEPS.map((_, i) => i + 1));
  expect(STEPS.filter(({ blocks }) => blocks.length === 0)).toStrictEqual([]);
});

test('an output that differs from the page fails', () => {
  const values = new Map<string, string>();
  compare('{"id":"{id}",…,"again":"{id}"}\n', '{"id":"a","more":1,"again":"a"}\r\n\n', values);
  expect(values).toStrictEqual(new Map([['id', 'a']]));
  const differing = [
    ['{id}', 'b'],
    ['{other} {other}', 'x y'],
    ['{other}', 'two words'],
    ['303', '303 more'],
    ['', 'an error message'],
  ] as const;
  for (const [shown, actual] of differing) {
    expect(() => compare(shown, actual, values), shown).toThrow('The page shows');
  }
});

test('the page reaches only an emulator, of the version that the deployment test uses', () => {
  const deploy = STEPS.find(({ title }) => title.endsWith('Deploy'));
  const [{ commands } = { commands: '' }] = deploy?.blocks ?? [];
  expect(commands).toContain('export AWS_ENDPOINT_URL=http://127.0.0.1:$EMULATOR_PORT ');
  expect(commands).toContain(
    `python3 -m pip install --quiet --target $EMULATOR ministack==${MINISTACK_VERSION}`,
  );
});

test.each(missing === undefined ? [FILE] : [])(
  'each command of %s runs in one shell, from top to bottom, and prints what the page shows',
  async () => {
    expect(await runPage()).toStrictEqual(STEPS.map(({ title }) => title));
  },
);
