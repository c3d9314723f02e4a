// The game has to be playable: each of its faults exists, and the runbook's way mends it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { FAULTS } from '../tools/game-day/faults.ts';
import { userEnvironment } from './support/environment.ts';

const RUNBOOK = readFileSync('docs/runbook.md', 'utf8');

const NUMBERS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** Plays a fault without a player. Returns the output, and throws all output if the exit code is not 0. */
const rehearse = async (number: string): Promise<string> => {
  const args = ['run', '--silent', 'game-day', '--', number, '--rehearse'];
  // Fault 9 starts an emulator of AWS, and reaches no other address.
  const { AWS_ENDPOINT_URL, ...own } = userEnvironment();
  const env = number === '9' ? own : { ...own, AWS_ENDPOINT_URL };
  const rehearsal = promisify(execFile)('npm', args, { env });
  onTestFinished(() => void rehearsal.child.kill());
  return (await rehearsal).stdout;
};

test('the game has these faults', () => {
  expect(Object.keys(FAULTS)).toStrictEqual(NUMBERS);
});

test.each(NUMBERS)('the fault %s exists, and a section of the runbook mends it', async (number) => {
  const output = await rehearse(number);
  const pattern = /^Fault (\d): it exists, and the runbook's section (.+) mends it\.$/m;
  const [, fault, section] = pattern.exec(output) ?? [];
  expect(fault, output).toBe(number);
  expect(RUNBOOK).toMatch(new RegExp(`\n###? ${section}\n`));
});
