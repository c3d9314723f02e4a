import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractDocument } from './document.ts';

const FILE = join(import.meta.dirname, '../../docs/openapi.json');

writeFileSync(FILE, `${JSON.stringify(contractDocument(), null, 2)}\n`);
process.stdout.write('docs/openapi.json is written.\n');
