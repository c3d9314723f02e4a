import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MINISTACK_VERSION } from '../deploy/support/emulator.ts';
import { givenDeadAddress } from '../support/addresses.ts';
import { installPythonPackage } from '../support/python-package.ts';
import { compare, type Step, stepsIn } from './support/page.ts';
import { startShell } from './support/shell.ts';

const PAGE = readFileSync('docs/tour.md', 'utf8');
const STEPS = stepsIn(PAGE);
const [PREPARE, ...OTHERS] = STEPS;
const DEPLOY = OTHERS.findIndex(({ title }) => title.endsWith('Deploy'));

/** The reason why the emulator cannot be installed, if there is one. */
const missing = await installPythonPackage('ministack', MINISTACK_VERSION).then(
  () => undefined,
  (error: Error) => error.message,
);
if (missing !== undefined) process.stdout.write(`Leaves out the steps Deploy and Destroy: ${missing}\n`);

/** The parts of the page: ranges of the other steps, without the step `end`. Each part needs only the first step. */
const PARTS = [
  { name: 'from the start of a stage to the erasure of a buyer', first: 0, end: DEPLOY },
  { name: 'the deployment to an emulator and its destruction', first: DEPLOY, end: OTHERS.length },
].filter(({ first }) => missing === undefined || first < DEPLOY);

/** The environment of the shell. No command can reach AWS, even if the page forgets the address of its emulator. */
const environment = (): Record<string, string> => {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:AWS_|VITEST|NODE_ENV)/.test(name));
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    NO_COLOR: '1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    TMPDIR: mkdtempSync(join(tmpdir(), 'cart-checkout-tour-')),
  };
};

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
 * Runs steps of the page in one shell, from top to bottom, and prints how long each takes. Returns the titles. The test's
 * timeout ends the wait for a process that the page does not end.
 */
const runSteps = async (isPart: (index: number) => boolean): Promise<readonly string[]> => {
  const steps = stepsIn(await withFreePorts(PAGE)).filter((_, index) => index === 0 || isPart(index - 1));
  const shell = startShell(environment());
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
  expect(PREPARE?.blocks).toHaveLength(1);
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
  const [{ commands } = { commands: '' }] = OTHERS[DEPLOY]?.blocks ?? [];
  expect(commands).toContain('export AWS_ENDPOINT_URL=http://127.0.0.1:$EMULATOR_PORT ');
  expect(commands).toContain(
    `python3 -m pip install --quiet --target $EMULATOR ministack==${MINISTACK_VERSION}`,
  );
});

test.each(PARTS)('$name: each command runs, and prints what the page shows', async ({ first, end }) => {
  expect(await runSteps((index) => index >= first && index < end)).toHaveLength(end - first + 1);
});
