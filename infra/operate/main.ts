import { processClock } from '../../lib/process-clock.ts';
import { operate } from './program.ts';

const { stdin, stdout, stderr } = process;

processClock.reportSkew((skewMs) => {
  const seconds = Math.abs(Math.round(skewMs / 1_000));
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  stderr.write(
    `This machine's clock is ${seconds} s ${direction} DynamoDB's: correct it. This command uses the latter.\n`,
  );
});

// A failed import may have batches under way: do not wait for them.
process.exit(
  await operate(process.argv.slice(2), { stdin, stdout, stderr, now: processClock.now, clock: processClock }),
);
