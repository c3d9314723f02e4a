import { operate } from './program.ts';

const { stdin, stdout, stderr } = process;

// Ends at once: a failed import may have batches under way.
process.exit(await operate(process.argv.slice(2), { stdin, stdout, stderr, now: Date.now }));
