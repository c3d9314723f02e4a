import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractCollection } from './collection.ts';
import { contractDocument } from './document.ts';

const DOCS = join(import.meta.dirname, '../../docs');

const FILES = {
  'openapi.json': contractDocument(),
  'postman-collection.json': contractCollection(),
};

for (const [name, content] of Object.entries(FILES)) {
  writeFileSync(join(DOCS, name), `${JSON.stringify(content, null, 2)}\n`);
  process.stdout.write(`docs/${name} is written.\n`);
}
