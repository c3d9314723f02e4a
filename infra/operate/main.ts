import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../core/project.ts';

// It also keeps the JavaScript of TypeScript: a start then takes half of the CPU time. Only imports after this call use it.
enableCompileCache(join(ROOT, 'node_modules/.cache/operate'));
const { operate } = await import('./program.ts');
const { PROCESS_HOST } = await import('./frame/process-host.ts');

// A failed command may have calls under way: do not wait for them.
process.exit(await operate(process.argv.slice(2), PROCESS_HOST));
