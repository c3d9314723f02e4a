import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command } from 'commander';
import { OperatorError } from '../../infra/terminal/operator-error.ts';
import { runTool } from './run-tool.ts';

/** More turns than a failed action takes to end the process. */
const TURNS = 50;

/** A tool whose action ends when its parent says so: with an error for `fail`, otherwise with `false`. */
await runTool(new Command(), async (cleanUp) => {
  const told = once(process, 'message');
  cleanUp.defer(async () => {
    process.send!('cleaning');
    await told;
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    process.stdout.write('cleaned\n');
  });
  process.stdout.write('running\n');
  const [message] = (await told) as unknown[];
  if (message === 'fail') throw new OperatorError('The action failed.');
  return false;
});
