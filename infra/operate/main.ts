import { processClock } from '../../lib/process-clock.ts';
import { operate } from './program.ts';

const { stdin, stdout, stderr } = process;

// A failed import may have batches under way: do not wait for them.
process.exit(
  await operate(process.argv.slice(2), { stdin, stdout, stderr, now: processClock.now, clock: processClock }),
);
