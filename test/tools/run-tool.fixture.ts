import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Command } from 'commander';
import { OperatorError } from '../../infra/terminal/operator-error.ts';
import { runTool } from './run-tool.ts';

/** More turns than a failed action takes to end the process. */
const TURNS = 50;

/** A tool whose action fails during the clean-up, when its parent says so. */
await runTool(new Command(), async (cleanUp) => {
  const failed = once(process, 'message');
  cleanUp.defer(async () => {
    process.send!('cleaning');
    await failed;
    for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
    process.stdout.write('cleaned\n');
  });
  process.stdout.write('running\n');
  await failed;
  throw new OperatorError('The action failed.');
});
